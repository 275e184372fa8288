// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.json.Suggestion;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.te.Constraint;
import org.sextant.core.te.Constraint.ExcludeLink;
import org.sextant.core.te.Constraint.ExcludeNode;
import org.sextant.core.te.Constraint.IncludeLink;
import org.sextant.core.te.Constraint.IncludeNode;
import org.sextant.core.te.Constraint.Stop;
import org.sextant.kit.Findings;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.Resolver;

/**
 * Resolves the nodes and links that a computed path visits.
 *
 * @param others the further constraints that it must meet
 */
record Visits(Network network, List<Constraint> others, Findings findings) {

    /** @param ends the ends of the path, which it visits anyway */
    List<Constraint> of(List<Hop> include, Set<String> ends, String at) {
        Resolver resolver = new Resolver(network, findings);
        List<Constraint> stops = new ArrayList<>();
        for (int i = 0; i < include.size(); i++) {
            String here = at + "/" + i;
            if (include.get(i) instanceof Hop.OverLink over) {
                link(new IncludeLink(i, over.link()), here).ifPresent(stops::add);
            } else {
                Optional<Node> node = resolver.node(((Hop.ToNode) include.get(i)).node(), here);
                int position = i;
                node.flatMap(one -> node(new IncludeNode(position, one.name()), ends, here))
                        .ifPresent(stops::add);
            }
        }
        return stops;
    }

    private Optional<Stop> node(IncludeNode stop, Set<String> ends, String at) {
        if (ends.contains(stop.node())) {
            findings.invalid(at, "the path begins or ends at " + stop.node() + " anyway", "leave it out");
            return Optional.empty();
        }
        if (others.contains(new ExcludeNode(stop.node()))) {
            findings.invalid(at, "node " + stop.node() + " is included and excluded", "name it once");
            return Optional.empty();
        }
        return Optional.of(stop);
    }

    private Optional<Stop> link(IncludeLink stop, String at) {
        List<Link> links = network.links().stream().filter(stop::over).toList();
        if (links.isEmpty()) {
            findings.unknown(
                    at,
                    "there is no link " + stop.link(),
                    Suggestion.of(
                            stop.link(),
                            network.links().stream()
                                    .map(one ->
                                            one.from().node() + "-" + one.to().node())
                                    .distinct()
                                    .toList(),
                            "links"));
            return Optional.empty();
        }
        boolean excluded = others.stream()
                .filter(one -> one instanceof ExcludeLink || one instanceof ExcludeNode)
                .anyMatch(one -> links.stream().noneMatch(one::allows));
        if (excluded) {
            findings.invalid(at, "link " + stop.link() + " is included and excluded", "name it once");
            return Optional.empty();
        }
        return Optional.of(stop);
    }
}
