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
 * The reason why there is no path: a smallest set of constraints without which there would be one.
 *
 * @param constraints none of them can be given back without losing the path again; empty if there is none without any
 * @param instead the best path without them
 * @param least for each bound among them, the sum that a path which meets all other constraints needs, in its order
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
     * The obstacle of the goal that {@code search} finds no path for. Sets of one constraint are tried before sets of
     * two and three, each in the order in which they were given.
     *
     * @param effort for all that is tried
     * @return empty if none of the sets that were tried is one, though a path may be there without more of them
     */
    public static Optional<Obstacle> between(String from, String to, Goal goal, PathSearch search, QueryBudget effort) {
        return new Question(from, to, goal, search, effort).answer();
    }

    private record Question(String from, String to, Goal goal, PathSearch search, QueryBudget effort) {

        Optional<Obstacle> answer() {
            if (find(goal.without(goal.constraints())) instanceof Outcome.None) {
                return Optional.of(new Obstacle(List.of(), Optional.empty(), List.of()));
            }
            List<Constraint> felt = search.felt(goal);
            for (int size = 1; size <= Math.min(MOST_REMOVED, felt.size()); size++) {
                Optional<Obstacle> found = smallest(felt, 0, size, List.of());
                if (found.isPresent()) {
                    return found;
                }
            }
            return Optional.empty();
        }

        /** The first set of {@code size} more constraints that helps, in the order of their first members, then of their second. */
        private Optional<Obstacle> smallest(List<Constraint> all, int first, int size, List<Constraint> removed) {
            if (size == 0) {
                return find(goal.without(removed)) instanceof Found found
                        ? Optional.of(new Obstacle(removed, Optional.of(found), least(removed)))
                        : Optional.empty();
            }
            for (int next = first; next + size <= all.size() && !effort.spent(); next++) {
                List<Constraint> more = new ArrayList<>(removed);
                more.add(all.get(next));
                Optional<Obstacle> found = smallest(all, next + 1, size - 1, more);
                if (found.isPresent()) {
                    return found;
                }
            }
            return Optional.empty();
        }

        private List<Least> least(List<Constraint> removed) {
            List<Least> least = new ArrayList<>();
            for (Constraint one : removed) {
                if (one instanceof Bound bound) {
                    Metric metric = bound.metric();
                    Goal smallest = goal.without(removed).minimizing(metric);
                    if (find(smallest) instanceof Found found) {
                        least.add(new Least(bound, found.totals().of(metric)));
                    }
                }
            }
            return least;
        }

        private Outcome find(Goal some) {
            return search.find(from, to, some, effort);
        }
    }
}
