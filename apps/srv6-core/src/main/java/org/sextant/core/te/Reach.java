// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Paths;

/**
 * Whether packets that the underlay takes from one node to another stay on allowed links, whichever of the equally short
 * ways each of them goes, and what the worst of these ways sums up to. Worked out per destination, when first asked.
 */
final class Reach {
    private final List<String> nodes;
    private final Paths paths;
    private final Predicate<Link> allowed;
    private final Map<String, Map<String, Totals>> byDestination = new HashMap<>();

    Reach(List<String> nodes, Paths paths, Predicate<Link> allowed) {
        this.nodes = nodes;
        this.paths = paths;
        this.allowed = allowed;
    }

    /** Empty if some packets would leave the allowed links, or none would arrive. */
    Optional<Totals> between(String from, String to) {
        return Optional.ofNullable(
                byDestination.computeIfAbsent(to, this::towards).get(from));
    }

    /** Nearest first: what is said of a node rests on what was said of the next ones. */
    private Map<String, Totals> towards(String destination) {
        record Far(String node, long distance) {}
        List<Far> order = new ArrayList<>();
        for (String node : nodes) {
            OptionalLong distance = paths.distance(node, destination, Metric.IGP);
            distance.ifPresent(far -> order.add(new Far(node, far)));
        }
        order.sort(Comparator.comparingLong(Far::distance));
        Map<String, Totals> totals = new HashMap<>();
        for (Far far : order) {
            if (far.node().equals(destination)) {
                totals.put(destination, Totals.NONE);
            } else {
                worst(far.node(), destination, totals).ifPresent(worst -> totals.put(far.node(), worst));
            }
        }
        return totals;
    }

    private Optional<Totals> worst(String node, String destination, Map<String, Totals> nearer) {
        Totals worst = Totals.NONE;
        for (Link link : paths.nextHops(node, destination, Metric.IGP)) {
            Totals rest = nearer.get(link.to().node());
            if (rest == null || !allowed.test(link)) {
                return Optional.empty();
            }
            worst = worst.orMore(Totals.of(link).plus(rest));
        }
        return Optional.of(worst);
    }
}
