// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.intent.PathCost;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.sid.Trace;
import org.sextant.core.underlay.Underlay;
import org.sextant.usid.Candidate;
import org.sextant.usid.Policy.Candidates;

/**
 * The costs of a plan's paths. They decide whether a new link makes another path as good; until then the plan has the
 * best paths:
 *
 * <ul>
 * <li>Between two uSIDs packets take the underlay's shortest paths. A link changes these only if a path over it costs
 * no more; then it costs no more from the first node on that routes by the uSID, either, whichever node uses the link.
 * <li>A computed path has the least sum of its metric among those that meet its constraints. A path over a new link has
 * at least the sum that one without constraints has.
 * </ul>
 *
 * The path with the fewest uSIDs stays the same, too: if no equally good path contains the link, none of the shortest
 * paths that could encode another path of the same sum contains it.
 */
final class PathCosts {
    private final Underlay underlay;
    private final Set<PathCost> costs = new LinkedHashSet<>();

    private PathCosts(Underlay underlay) {
        this.underlay = underlay;
    }

    /** Empty for packets that pass firewalls or enter other policies. */
    private static Optional<Set<PathCost>> of(List<PlannedPath> planned, Underlay underlay) {
        PathCosts costs = new PathCosts(underlay);
        return planned.stream().allMatch(costs::add) ? Optional.of(costs.costs) : Optional.empty();
    }

    /**
     * The costs of the best candidate path; empty if it is not valid, as any link may change that, or if it depends on
     * other policies.
     */
    static Optional<Set<PathCost>> of(Candidates form, CandidatePaths candidates, Underlay underlay) {
        CandidatePaths.Tried best = candidates.tried().get(0);
        if (!best.valid()
                || form.terms().liveness().isPresent()
                || DisjointPeer.of(form.paths(), best.index()).isPresent()
                || !standsAlone(best.candidate().choice())) {
            return Optional.empty();
        }
        Optional<Set<PathCost>> costs = of(best.planned(), underlay);
        best.way().ifPresent(way -> costs.ifPresent(all -> best.planned().forEach(one -> all.add(computed(one, way)))));
        return costs;
    }

    private static PathCost computed(PlannedPath planned, DynamicPath.Way way) {
        Metric metric = way.goal().metric();
        return new PathCost(
                planned.direction().headend().name(),
                planned.trace().arrival().orElseThrow().node(),
                metric,
                way.totals().of(metric));
    }

    /** Is true if the path depends on the network alone, and not on the resources of other policies. */
    private static boolean standsAlone(Candidate.Choice choice) {
        return choice instanceof Candidate.Explicit
                || choice instanceof Candidate.Dynamic dynamic
                        && dynamic.disjointFrom().isEmpty()
                        && dynamic.demand().isEmpty();
    }

    private boolean add(PlannedPath planned) {
        return planned.branch().passings().isEmpty()
                && planned.branch().bindings().isEmpty()
                && add(planned.trace().hops());
    }

    /** Adds the distance from the first of several consecutive nodes that route packets to the same node. */
    private boolean add(List<Trace.Hop> hops) {
        Optional<String> routedTo = Optional.empty();
        for (Trace.Hop hop : hops) {
            if (hop.link().isEmpty()) {
                continue;
            }
            Optional<Link> link = hop.link().flatMap(underlay::link);
            Optional<String> owner = hop.leaving().flatMap(underlay::owner);
            if (link.isEmpty() || owner.isEmpty()) {
                return false;
            }
            boolean routed = underlay.paths()
                    .nextHops(hop.node(), owner.get(), Metric.IGP)
                    .contains(link.get());
            if (routed && !owner.equals(routedTo)) {
                long distance = underlay.paths()
                        .distance(hop.node(), owner.get(), Metric.IGP)
                        .orElseThrow();
                costs.add(new PathCost(hop.node(), owner.get(), Metric.IGP, distance));
            }
            routedTo = routed ? owner : Optional.empty();
        }
        return true;
    }
}
