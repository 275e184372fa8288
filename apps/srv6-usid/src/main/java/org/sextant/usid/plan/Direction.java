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
import org.sextant.kit.path.FirewallHop;

/**
 * The packets of one family in one direction: the headend, the matches, and the possible paths.
 *
 * @param from the sending end in messages
 * @param to the receiving end in messages
 * @param index 0 to 3 within the policy; distinguishes its segment lists
 * @param flows steered in addition, by their own matches
 * @param bound packets with a binding SID take this direction, too
 * @param probe an address behind the egress that the trace looks up after the decapsulation; empty if none is known
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
     * @param pointer the field that specifies it
     * @param passings the firewalls of the path
     * @param bindings the policies whose binding SIDs it contains
     */
    record Branch(
            int weight, List<Atom> atoms, String pointer, List<FirewallHop> passings, List<BindingHandle> bindings) {
        /** A path without binding SIDs. */
        Branch(int weight, List<Atom> atoms, String pointer, List<FirewallHop> passings) {
            this(weight, atoms, pointer, passings, List.of());
        }

        /** The table entries of nodes, with these firewalls and binding SIDs. */
        Fib fib(Underlay underlay) {
            Fib walled = passings.isEmpty()
                    ? underlay.fib()
                    : new FirewallFib(
                            underlay.fib(),
                            passings.stream().map(FirewallHop::firewall).toList());
            return bindings.isEmpty() ? walled : new BindingFib(walled, bindings);
        }

        /** The maximum that other policies add to its packets: it passes them one after another. */
        int nestedBytes() {
            return bindings.stream().mapToInt(BindingHandle::bytes).max().orElse(0);
        }
    }

    /** The packets of this direction, in the words of a message. */
    String packets() {
        return (family == Family.IPV6 ? "IPv6" : "IPv4") + " packets from " + from + " to " + to;
    }

    /** The users' packets of this direction, as firewalls match them: by the addresses alone. */
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
