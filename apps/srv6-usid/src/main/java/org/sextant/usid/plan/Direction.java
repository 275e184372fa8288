// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.List;
import java.util.Optional;
import org.sextant.core.filter.Box;
import org.sextant.core.filter.KeyField;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.net.Node;
import org.sextant.core.sid.Atom;
import org.sextant.core.sid.Fib;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Family;
import org.sextant.kit.path.FirewallFib;
import org.sextant.kit.path.Passing;

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

    /**
     * One weighted path, before packing.
     *
     * @param pointer where the policy asks for it
     * @param passings the firewalls on the way
     */
    record Branch(int weight, List<Atom> atoms, String pointer, List<Passing> passings) {

        /** What nodes hold, these firewalls included. */
        Fib fib(Underlay underlay) {
            return passings.isEmpty()
                    ? underlay.fib()
                    : new FirewallFib(
                            underlay.fib(),
                            passings.stream().map(Passing::firewall).toList());
        }
    }

    /** Which packets go this way, as people say it. */
    String packets() {
        return (family == Family.IPV6 ? "IPv6" : "IPv4") + " packets from " + from + " to " + to;
    }

    /** What users send this way, as firewalls see it: steering looks at destinations, whoever the sender is. */
    List<Box> traffic() {
        return steering.stream()
                .map(prefix -> Box.equal(KeyField.IP_VERSION, family == Family.IPV6 ? 6 : 4)
                        .and(Box.within(KeyField.DST, prefix)))
                .toList();
    }
}
