// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.core.net.Link;
import org.sextant.core.net.Node;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.Resolver;
import org.sextant.kit.path.Waypoint;

/** The hops of the reverse path: nodes in reverse order, links from their other ends. */
final class ReversePath {
    private final Resolver resolver;
    private final List<Hop> back = new ArrayList<>();

    /** The node that the reverse path has reached. */
    private String at;

    ReversePath(String from, Resolver resolver) {
        this.at = from;
        this.resolver = resolver;
    }

    /** Empty, and a finding, if one of the hops cannot be reversed. */
    Optional<List<Hop>> of(List<Hop> hops) {
        for (int i = hops.size() - 1; i >= 0; i--) {
            if (!add(hops.get(i), "/uplink/hops/" + i)) {
                return Optional.empty();
            }
        }
        return Optional.of(back);
    }

    private boolean add(Hop hop, String pointer) {
        if (hop instanceof Hop.ToNode to) {
            Optional<Node> node = resolver.node(to.node(), pointer);
            node.ifPresent(known -> visit(known.name(), to.loose()));
            return node.isPresent();
        }
        if (hop instanceof Hop.OverLink over) {
            Optional<Link> link = resolver.link(over.link(), pointer);
            link.ifPresent(known -> cross(known, over.loose()));
            return link.isPresent();
        }
        resolver.findings()
                .unfeasible(
                        "/downlink",
                        "a hop of the uplink is a SID, which has no counterpart on the reverse path",
                        "list the hops of the downlink");
        return false;
    }

    /** The forward path may name a node that the reverse path has reached anyway: its end, or one behind a link. */
    private void visit(String node, boolean loose) {
        if (!node.equals(at)) {
            back.add(new Hop.ToNode(new Waypoint(node), loose));
            at = node;
        }
    }

    private void cross(Link link, boolean loose) {
        visit(link.to().node(), loose);
        back.add(new Hop.OverLink(link.to() + "-" + link.from(), loose));
        at = link.from().node();
    }
}
