// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.path;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sextant.core.net.Link;

/**
 * Paths without a common shared-risk link group.
 *
 * <p>Groups do not fit the flow model: two distant links fail together, and finding two such paths is NP-complete (Hu:
 * Diverse routing in optical mesh networks, 2003). The result is therefore the node-disjoint paths of
 * {@link MinCostPaths} if they share no group; otherwise the best choice among the shortest {@value #CANDIDATES} paths
 * by branch and bound. That is exact if the network has no more paths than that and the search ends within its limit,
 * and never worse than the node-disjoint ones.
 */
final class GroupDisjoint {
    static final int CANDIDATES = 500;
    /** The maximum number of examined choices, pruned ones included: about a second, as other flows may be waiting. */
    private static final int MOST_STEPS = 2_000_000;

    private final List<Candidate> candidates;
    private final int wanted;
    private final boolean mayShare;
    private final Cost cost;
    private final List<LinkPath> chosen = new ArrayList<>();
    private List<LinkPath> best = List.of();
    private long @Nullable [] bestCost;
    private int steps;

    /** A path, its length and the numbers of all links, nodes and groups that it uses. */
    private record Candidate(LinkPath path, long metric, int[][] uses) {}

    /** The shared resources of a choice, updated as paths are added and removed. */
    private static final class Cost {
        private static final int METRIC = 3;
        private final int[] users;
        /** The additional uses of links, nodes and groups, then the length; compared in this order. */
        private final long[] parts = new long[METRIC + 1];

        Cost(int things) {
            users = new int[things];
        }

        void add(Candidate candidate) {
            for (int kind = 0; kind < METRIC; kind++) {
                for (int thing : candidate.uses[kind]) {
                    parts[kind] += users[thing]++ > 0 ? 1 : 0;
                }
            }
            parts[METRIC] += candidate.metric;
        }

        void remove(Candidate candidate) {
            for (int kind = 0; kind < METRIC; kind++) {
                for (int thing : candidate.uses[kind]) {
                    parts[kind] -= --users[thing] > 0 ? 1 : 0;
                }
            }
            parts[METRIC] -= candidate.metric;
        }

        boolean disjoint() {
            return parts[0] == 0 && parts[1] == 0 && parts[2] == 0;
        }
    }

    private GroupDisjoint(List<LinkPath> paths, int wanted, boolean mayShare) {
        Map<String, Integer> numbers = new HashMap<>();
        this.candidates = paths.stream().map(path -> candidate(path, numbers)).toList();
        this.wanted = wanted;
        this.mayShare = mayShare;
        this.cost = new Cost(numbers.size());
    }

    private static Candidate candidate(LinkPath path, Map<String, Integer> numbers) {
        return new Candidate(path, path.metric(), new int[][] {
            path.links().stream()
                    .mapToInt(link -> number("link " + link.undirectedId(), numbers))
                    .toArray(),
            path.interior().stream()
                    .mapToInt(node -> number("node " + node, numbers))
                    .toArray(),
            path.srlgs().stream()
                    .mapToInt(group -> number("srlg " + group, numbers))
                    .toArray()
        });
    }

    private static int number(String thing, Map<String, Integer> numbers) {
        return numbers.computeIfAbsent(thing, none -> numbers.size());
    }

    static List<LinkPath> find(List<Link> links, String from, String to, int units, boolean mayShare) {
        List<LinkPath> byNodes = MinCostPaths.find(links, from, to, units, Disjointness.NODE, mayShare);
        if (SharedResource.of(byNodes, Disjointness.SRLG).stream().noneMatch(one -> one.kind() == Disjointness.SRLG)) {
            return byNodes;
        }
        List<LinkPath> paths = Stream.concat(
                        byNodes.stream(), Candidates.shortest(links, from, to, CANDIDATES).stream())
                .distinct()
                .sorted()
                .toList();
        return mayShare ? sharing(paths, byNodes) : disjoint(paths, byNodes.size());
    }

    /** With sharing allowed, the flow has as many paths as requested; the search starts with it as the best choice. */
    private static List<LinkPath> sharing(List<LinkPath> paths, List<LinkPath> fallback) {
        GroupDisjoint search = new GroupDisjoint(paths, fallback.size(), true);
        List<Candidate> known = fallback.stream()
                .map(path -> search.candidates.get(paths.indexOf(path)))
                .toList();
        known.forEach(search.cost::add);
        search.best = fallback;
        search.bestCost = search.cost.parts.clone();
        known.forEach(search.cost::remove);
        search.choose(0);
        return search.best;
    }

    /** As many paths as exist: fewer than node-disjoint ones if their groups forbid more. */
    private static List<LinkPath> disjoint(List<LinkPath> paths, int most) {
        for (int size = most; size > 1; size--) {
            GroupDisjoint search = new GroupDisjoint(paths, size, false);
            search.choose(0);
            if (!search.best.isEmpty()) {
                return search.best;
            }
        }
        return paths.subList(0, 1);
    }

    private void choose(int from) {
        boolean hopeless = bestCost != null && Arrays.compare(cost.parts, bestCost) >= 0;
        if (steps++ > MOST_STEPS || hopeless || !mayShare && !cost.disjoint()) {
            return;
        }
        if (chosen.size() == wanted) {
            best = List.copyOf(chosen);
            bestCost = cost.parts.clone();
            return;
        }
        for (int i = from; i < candidates.size(); i++) {
            chosen.add(candidates.get(i).path());
            cost.add(candidates.get(i));
            choose(mayShare ? i : i + 1);
            cost.remove(candidates.get(i));
            chosen.remove(chosen.size() - 1);
        }
    }
}
