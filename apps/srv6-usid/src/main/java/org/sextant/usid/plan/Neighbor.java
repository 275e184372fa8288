// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.ReferencedIntent;
import org.sextant.core.net.Link;
import org.sextant.core.te.Constraint.ApartFrom;
import org.sextant.kit.Findings;
import org.sextant.kit.path.PolicyOffer;
import org.sextant.usid.Candidate.Apart;

/** Another policy from which a computed path is disjoint. */
record Neighbor(Apart apart, CompileContext context) {

    /**
     * The links, nodes and groups of its active path. The nodes exclude {@code ends}, between which the path is
     * computed, as it cannot avoid those.
     *
     * @return empty if the policy has no path, or does not exist, which is reported
     */
    Optional<ApartFrom> constraint(Set<String> ends, String at, Findings findings) {
        Optional<ReferencedIntent> referred = context.referred(new IntentRef(PolicyOffer.KIND, apart.policy()));
        String called = "policy \"" + apart.policy() + "\"";
        if (referred.isEmpty()) {
            findings.unknown(at, "there is no " + called, "add it first, or name another");
            return Optional.empty();
        }
        List<String> way = referred.get()
                .offer()
                .map(offer -> ((PolicyOffer) offer).way().names())
                .orElse(List.of());
        if (way.isEmpty()) {
            findings.warn(called + " has no path now, so there is nothing to keep away from");
            return Optional.empty();
        }
        List<Link> links = way.stream()
                .flatMap(name -> context.underlay().link(name).stream())
                .toList();
        Set<String> nodes = new HashSet<>(context.network().nodes().keySet());
        nodes.retainAll(way);
        nodes.removeAll(ends);
        return Optional.of(new ApartFrom(
                called + " (" + apart.share().spelling() + ")",
                links.stream().map(Link::undirectedId).collect(Collectors.toSet()),
                apart.share().nodes() ? nodes : Set.of(),
                apart.share().srlgs()
                        ? links.stream().flatMap(link -> link.srlgs().stream()).collect(Collectors.toSet())
                        : Set.of()));
    }
}
