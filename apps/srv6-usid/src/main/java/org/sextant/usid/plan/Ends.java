// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.net.Host;
import org.sextant.core.net.Link;
import org.sextant.core.net.Node;
import org.sextant.kit.Family;
import org.sextant.kit.Findings;
import org.sextant.kit.path.Resolver.End;

/** Resolves the ends of the traffic for all forms. */
final class Ends {
    private Ends() {}

    static boolean has(End end, Family family) {
        return !prefixes(end, family).isEmpty();
    }

    static List<IpPrefix> prefixes(End end, Family family) {
        return end.prefixes().stream()
                .filter(prefix -> Family.of(prefix) == family)
                .toList();
    }

    /** The address of a known host, so that the trace can follow the packet up to that host. */
    static Optional<IpAddress> probe(List<End> ends, Family family) {
        return ends.stream()
                .filter(end -> end.host().isPresent())
                .flatMap(end -> prefixes(end, family).stream())
                .map(IpPrefix::address)
                .findFirst();
    }

    /**
     * Reports a host that is not attached to the node where its traffic enters or leaves the path.
     *
     * @param field the field that names the host
     * @param named the field that names the node
     * @param remedy the beginning of a sentence that a node's name completes
     */
    static void attached(End end, String field, Node edge, String named, String remedy, Findings findings) {
        end.host()
                .map(Host::location)
                .map(Link.End::node)
                .filter(node -> !node.equals(edge.name()))
                .ifPresent(node -> findings.unfeasible(
                        field,
                        end.label() + " is attached to " + node + ", not to " + edge.name() + ", which " + named
                                + " names",
                        remedy + node + ", or choose a host at " + edge.name()));
    }
}
