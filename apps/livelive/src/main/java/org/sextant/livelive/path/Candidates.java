// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.path;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sextant.core.net.Link;

/**
 * The shortest loopless paths in the order of their metric: best-first search, guided by the exact remaining distance,
 * so that every step leads towards a path's end.
 */
final class Candidates {
    private static final int MOST_STEPS = 50_000;

    private Candidates() {}

    /** A partial path: its cost so far, and the least cost of a complete path from it. */
    private record Partial(@Nullable Link last, @Nullable Partial before, String at, long cost, long whole, int order) {
        boolean visits(String node) {
            for (Partial part = this; part != null; part = part.before) {
                if (part.at.equals(node)) {
                    return true;
                }
            }
            return false;
        }

        LinkPath path() {
            List<Link> links = new ArrayList<>();
            for (Partial part = this; part != null && part.last != null; part = part.before) {
                links.add(0, part.last);
            }
            return new LinkPath(links);
        }
    }

    /** At most {@code most} paths; fewer if the network has fewer or the search grows too large. */
    static List<LinkPath> shortest(List<Link> links, String from, String to, int most) {
        Map<String, Long> left = distancesTo(links, to);
        Map<String, List<Link>> outgoing = new HashMap<>();
        links.forEach(link -> outgoing.computeIfAbsent(link.from().node(), none -> new ArrayList<>())
                .add(link));
        PriorityQueue<Partial> queue =
                new PriorityQueue<>(Comparator.comparingLong(Partial::whole).thenComparingInt(Partial::order));
        List<LinkPath> found = new ArrayList<>();
        if (left.containsKey(from)) {
            queue.add(new Partial(null, null, from, 0, left.get(from), 0));
        }
        int order = 1;
        for (int steps = 0; !queue.isEmpty() && found.size() < most && steps < MOST_STEPS; steps++) {
            Partial part = queue.remove();
            if (part.at.equals(to)) {
                found.add(part.path());
                continue;
            }
            for (Link link : outgoing.getOrDefault(part.at, List.of())) {
                String next = link.to().node();
                if (left.containsKey(next) && !part.visits(next)) {
                    long cost = part.cost + link.igpMetric();
                    queue.add(new Partial(link, part, next, cost, cost + left.get(next), order++));
                }
            }
        }
        return found;
    }

    private static Map<String, Long> distancesTo(List<Link> links, String to) {
        Map<String, List<Link>> incoming = new HashMap<>();
        links.forEach(link -> incoming.computeIfAbsent(link.to().node(), none -> new ArrayList<>())
                .add(link));
        Map<String, Long> distances = new HashMap<>();
        Set<String> settled = new HashSet<>();
        PriorityQueue<Map.Entry<String, Long>> queue = new PriorityQueue<>(Map.Entry.comparingByValue());
        distances.put(to, 0L);
        queue.add(Map.entry(to, 0L));
        while (!queue.isEmpty()) {
            Map.Entry<String, Long> nearest = queue.remove();
            if (!settled.add(nearest.getKey())) {
                continue;
            }
            for (Link link : incoming.getOrDefault(nearest.getKey(), List.of())) {
                long through = nearest.getValue() + link.igpMetric();
                if (through < distances.getOrDefault(link.from().node(), Long.MAX_VALUE)) {
                    distances.put(link.from().node(), through);
                    queue.add(Map.entry(link.from().node(), through));
                }
            }
        }
        return distances;
    }
}
