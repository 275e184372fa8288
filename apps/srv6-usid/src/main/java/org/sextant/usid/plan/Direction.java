// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.net.Node;
import org.sextant.core.sid.Atom;
import org.sextant.kit.Family;

/**
 * Packets of one family that go one way: what enters where, and the paths it may take.
 *
 * @param from what people call the sending end
 * @param to what people call the receiving end
 * @param index 0 to 3 within the policy; tells its segment lists apart
 * @param probe an address behind the egress that the walk looks up after the decapsulation; empty if none is known
 */
record Direction(
        String from,
        String to,
        Node headend,
        Family family,
        int index,
        boolean reduced,
        List<IpPrefix> steering,
        Optional<IpAddress> probe,
        List<Branch> branches) {

    /** One weighted path, before packing. {@code pointer} is where the policy asks for it. */
    record Branch(int weight, List<Atom> atoms, String pointer) {}
}
