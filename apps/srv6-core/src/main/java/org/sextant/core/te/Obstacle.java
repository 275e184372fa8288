// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.core.net.Metric;
import org.sextant.core.te.Constraint.Bound;
import org.sextant.core.te.PathSearch.Outcome;
import org.sextant.core.te.PathSearch.Outcome.Found;

/**
 * Why there is no path: a smallest set of constraints without which there would be one.
 *
 * @param constraints none of them can be given back without losing the path again; empty if there is none without any
 * @param instead the best path without them
 * @param least of each bound among them, what a path that meets all else needs, in its order
 */
public record Obstacle(List<Constraint> constraints, Optional<Found> instead, List<Least> least) {
    private static final int MOST_REMOVED = 3;

    /** A bound, and the least sum with which there is a path that meets the constraints outside the obstacle. */
    public record Least(Bound bound, long sum) {}

    public Obstacle {
        constraints = List.copyOf(constraints);
        least = List.copyOf(least);
    }

    /**
     * Of the goal that {@code search} finds no path for. Sets of one constraint are tried before sets of two and three, each in
     * the order in which they were given, at most {@code tries} sets.
     *
     * @return empty if none of the sets that were tried is one, though a path may be there without more of them
     */
    public static Optional<Obstacle> between(String from, String to, Goal goal, PathSearch search, int tries) {
        Goal free = goal.without(goal.constraints());
        if (!(search.find(from, to, free) instanceof Found)) {
            return Optional.of(new Obstacle(List.of(), Optional.empty(), List.of()));
        }
        int left = tries;
        for (int size = 1; size <= Math.min(MOST_REMOVED, goal.constraints().size()); size++) {
            for (List<Constraint> removed : subsets(goal.constraints(), size)) {
                if (left-- == 0) {
                    return Optional.empty();
                }
                Outcome outcome = search.find(from, to, goal.without(removed));
                if (outcome instanceof Found found) {
                    return Optional.of(
                            new Obstacle(removed, Optional.of(found), least(from, to, goal, removed, search)));
                }
            }
        }
        return Optional.empty();
    }

    private static List<Least> least(String from, String to, Goal goal, List<Constraint> removed, PathSearch search) {
        List<Least> least = new ArrayList<>();
        for (Constraint one : removed) {
            if (one instanceof Bound bound) {
                Metric metric = bound.metric();
                Goal smallest = new Goal(metric, goal.without(removed).constraints());
                if (search.find(from, to, smallest) instanceof Found found) {
                    least.add(new Least(bound, found.totals().of(metric)));
                }
            }
        }
        return least;
    }

    /** In the order of their first members, then of their second. */
    private static List<List<Constraint>> subsets(List<Constraint> all, int size) {
        if (size == 0) {
            return List.of(List.of());
        }
        List<List<Constraint>> subsets = new ArrayList<>();
        for (int first = 0; first + size <= all.size(); first++) {
            for (List<Constraint> rest : subsets(all.subList(first + 1, all.size()), size - 1)) {
                List<Constraint> one = new ArrayList<>(List.of(all.get(first)));
                one.addAll(rest);
                subsets.add(one);
            }
        }
        return subsets;
    }
}
