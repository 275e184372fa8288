// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.sextant.core.filter.Box;
import org.sextant.core.filter.KeyField;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.net.Node;
import org.sextant.core.sid.Atom;
import org.sextant.core.sid.Fib;
import org.sextant.core.table.FlowMatch;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Family;
import org.sextant.kit.path.BindingFib;
import org.sextant.kit.path.BindingHandle;
import org.sextant.kit.path.FirewallFib;
import org.sextant.kit.path.Passing;

/**
 * Packets of one family that go one way: what enters where, and the paths it may take.
 *
 * @param from what people call the sending end
 * @param to what people call the receiving end
 * @param index 0 to 3 within the policy; tells its segment lists apart
 * @param flows what enters besides, wherever it goes to
 * @param bound what comes with a binding SID goes this way, too
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
        List<FlowMatch> flows,
        boolean bound,
        Optional<IpAddress> probe,
        List<Branch> branches) {

    /**
     * One weighted path, before packing.
     *
     * @param pointer where the policy asks for it
     * @param passings the firewalls on the way
     * @param bindings the policies that it leads into
     */
    record Branch(int weight, List<Atom> atoms, String pointer, List<Passing> passings, List<BindingHandle> bindings) {
        /** One that leads into no other policy. */
        Branch(int weight, List<Atom> atoms, String pointer, List<Passing> passings) {
            this(weight, atoms, pointer, passings, List.of());
        }

        /** What nodes hold, these firewalls and binding SIDs included. */
        Fib fib(Underlay underlay) {
            Fib walled = passings.isEmpty()
                    ? underlay.fib()
                    : new FirewallFib(
                            underlay.fib(),
                            passings.stream().map(Passing::firewall).toList());
            return bindings.isEmpty() ? walled : new BindingFib(walled, bindings);
        }

        /** What other policies put on its packets at most: they come one behind the other. */
        int nestedBytes() {
            return bindings.stream().mapToInt(BindingHandle::bytes).max().orElse(0);
        }
    }

    /** Which packets go this way, as people say it. */
    String packets() {
        return (family == Family.IPV6 ? "IPv6" : "IPv4") + " packets from " + from + " to " + to;
    }

    /** What users send this way, as firewalls see it: by the addresses alone. */
    List<Box> traffic() {
        if (bound) {
            return List.of(Box.ALL);
        }
        Box version = Box.equal(KeyField.IP_VERSION, family == Family.IPV6 ? 6 : 4);
        return Stream.concat(
                        steering.stream().map(prefix -> version.and(Box.within(KeyField.DST, prefix))),
                        flows.stream()
                                .map(flow -> version.and(Box.within(KeyField.DST, flow.destination()))
                                        .and(Box.within(KeyField.SRC, flow.source()))))
                .toList();
    }
}
