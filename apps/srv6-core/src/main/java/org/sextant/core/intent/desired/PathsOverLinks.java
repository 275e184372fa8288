// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sextant.core.intent.PathCost;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Paths;
import org.sextant.core.underlay.Underlay;

/**
 * The least that a path over one of some links costs, from any node to any other: twice as many shortest path trees as links answer
 * it for all plans of a network. Constraints only make paths more expensive. For one thread.
 */
final class PathsOverLinks {
    private final Paths paths;
    private final List<Link> links;
    private final Map<Metric, List<Through>> known = new EnumMap<>(Metric.class);

    /** By the configured metrics, which no path undercuts, whatever drained nodes count in routes. */
    static PathsOverLinks of(Underlay underlay, List<Link> links) {
        boolean asRouted = links.isEmpty() || underlay.network().drained().isEmpty();
        return new PathsOverLinks(asRouted ? underlay.paths() : Paths.asDescribed(underlay.network()), links);
    }

    PathsOverLinks(Paths paths, List<Link> links) {
        this.paths = paths;
        this.links = links;
    }

    /**
     * @param to distances of all nodes to the link's beginning
     * @param from distances of all nodes from its end
     */
    private record Through(Paths.Row to, long cost, Paths.Row from) {
        boolean within(int source, int destination, long most) {
            long before = to.of(source);
            long after = from.of(destination);
            return before != Paths.UNREACHABLE && after != Paths.UNREACHABLE && before + cost + after <= most;
        }
    }

    /** True if a path over one of the links costs no more. */
    boolean reach(PathCost path) {
        int source = paths.place(path.from());
        int destination = paths.place(path.to());
        return source < 0
                || destination < 0
                || known.computeIfAbsent(path.metric(), this::through).stream()
                        .anyMatch(one -> one.within(source, destination, path.cost()));
    }

    private List<Through> through(Metric metric) {
        Map<Integer, Paths.Row> to = new HashMap<>();
        Map<Integer, Paths.Row> from = new HashMap<>();
        return links.stream()
                .map(link -> new Through(
                        to.computeIfAbsent(paths.place(link.from().node()), place -> paths.row(place, metric)),
                        metric.of(link),
                        from.computeIfAbsent(paths.place(link.to().node()), place -> paths.rowFrom(place, metric))))
                .toList();
    }
}
