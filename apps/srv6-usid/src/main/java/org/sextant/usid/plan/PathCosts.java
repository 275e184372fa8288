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
 * The costs of a plan's paths. The plan is that of the best paths until a link comes over which another is as good:
 *
 * <ul>
 *   <li>Between two uSIDs packets take the underlay's shortest paths. A link changes these only if a path over it costs no more;
 *       then it costs no more either from the first node on that routes by the uSID, whichever node on the way sees it.
 *   <li>A computed path has the least sum of its metric among those that meet its constraints. One over a link that came has at
 *       least the sum that one without constraints has.
 * </ul>
 *
 * Which path is told with the fewest uSIDs stays the same, too: where the link is on no path as good, it is on none of the shortest
 * paths by which another one of the same sum could be told.
 */
final class PathCosts {
    private final Underlay underlay;
    private final Set<PathCost> costs = new LinkedHashSet<>();

    private PathCosts(Underlay underlay) {
        this.underlay = underlay;
    }

    /** Empty where packets meet firewalls, or are led into other policies. */
    private static Optional<Set<PathCost>> of(List<Planned> planned, Underlay underlay) {
        PathCosts costs = new PathCosts(underlay);
        return planned.stream().allMatch(costs::add) ? Optional.of(costs.costs) : Optional.empty();
    }

    /** The costs of the best candidate path; empty if it is not valid, which any link may change, or is about other paths, too. */
    static Optional<Set<PathCost>> of(Candidates form, CandidatePaths candidates, Underlay underlay) {
        CandidatePaths.Tried best = candidates.tried().get(0);
        if (!best.valid()
                || form.terms().liveness().isPresent()
                || Pairing.of(form.paths(), best.index()).isPresent()
                || !standsAlone(best.candidate().choice())) {
            return Optional.empty();
        }
        Optional<Set<PathCost>> costs = of(best.planned(), underlay);
        best.way().ifPresent(way -> costs.ifPresent(all -> best.planned().forEach(one -> all.add(computed(one, way)))));
        return costs;
    }

    private static PathCost computed(Planned planned, DynamicPath.Way way) {
        Metric metric = way.goal().metric();
        return new PathCost(
                planned.direction().headend().name(),
                planned.trace().arrival().orElseThrow().node(),
                metric,
                way.totals().of(metric));
    }

    /** Its path is about the network alone, and not about what other policies take. */
    private static boolean standsAlone(Candidate.Choice choice) {
        return choice instanceof Candidate.Explicit
                || choice instanceof Candidate.Dynamic dynamic
                        && dynamic.disjointFrom().isEmpty()
                        && dynamic.demand().isEmpty();
    }

    private boolean add(Planned planned) {
        return planned.branch().passings().isEmpty()
                && planned.branch().bindings().isEmpty()
                && add(planned.trace().hops());
    }

    /** Adds the distance from the first of the nodes that route packets to the same node one behind the other. */
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
