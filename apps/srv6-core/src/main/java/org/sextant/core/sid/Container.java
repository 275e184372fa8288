// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import java.util.List;
import java.util.Objects;
import org.sextant.core.ip.Ipv6;

/**
 * One segment of a segment list: a uSID container, or a SID that stands alone.
 *
 * @param sid the 128 bits that become a destination address
 * @param atoms its packed atoms, in travel order
 */
public record Container(Ipv6 sid, List<Atom> atoms) {
    public Container {
        Objects.requireNonNull(sid);
        atoms = List.copyOf(atoms);
    }

    /** The bit at which the arguments of the last atom begin; 0 if it has none. */
    public int argumentsAt() {
        if (!(atoms.get(atoms.size() - 1) instanceof Atom.Compressed last) || last.argumentBits() == 0) {
            return 0;
        }
        int bits =
                atoms.stream().mapToInt(atom -> ((Atom.Compressed) atom).bits()).sum();
        return last.format().blockLength() + bits - last.argumentBits();
    }
}
