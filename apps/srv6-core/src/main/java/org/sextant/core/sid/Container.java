// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import java.util.List;
import java.util.Objects;
import org.sextant.core.ip.Ipv6;

/**
 * One segment of a segment list: a uSID container, or a SID that stands alone.
 *
 * @param sid the 128 bits that become a destination address
 * @param atoms what they were packed from, in travel order
 */
public record Container(Ipv6 sid, List<Atom> atoms) {
    public Container {
        Objects.requireNonNull(sid);
        atoms = List.copyOf(atoms);
    }
}
