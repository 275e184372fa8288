// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import java.util.Comparator;
import java.util.HashSet;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.sextant.core.net.Link;
import org.sextant.core.te.Constraint.ApartFrom;
import org.sextant.core.te.PathSearch.Outcome;
import org.sextant.core.te.PathSearch.Outcome.Found;

/**
 * The best path that leaves another one room beside it. The shortest path may cut off every second one (the classical
 * trap), so it does not suffice to take it and search for another.
 *
 * <p>Branch and bound: if a path leaves no room, some of its links block the other path, and any solution lacks one of
 * these. So the best paths without each of them are tried, the best of all first. Exact as far as the number of
 * searches goes, for all constraints and all equally short paths. A flow in a graph of links (as Live-Live's) is not:
 * segments from a headend cannot express every path of links.
 */
public final class PairSearch {
    /** Searches for one pair: some tenths of a second in a network of a thousand nodes. */
    public static final int SEARCHES = 400;

    private final PathSearch search;
    private final String from;
    private final String to;
    private final Goal goal;
    private final Predicate<Found> leaves;
    private final QueryBudget effort;
    private final Set<Set<String>> seen = new HashSet<>();
    private final PriorityQueue<Branch> open;
    private int searches;

    /**
     * @param without undirected ids of links
     * @param avoidable true if it passes a node that it is to avoid
     */
    private record Branch(Found found, Set<String> without, int order, boolean avoidable) {}

    /** @param leaves true if a path leaves the other one room */
    public PairSearch(PathSearch search, String from, String to, Goal goal, Predicate<Found> leaves) {
        this(search, from, to, goal, leaves, new QueryBudget(PathSearch.STEPS));
    }

    /**
     * @param leaves as above
     * @param effort of all searches together, those of {@code leaves} among them if it shares it
     */
    public PairSearch(
            PathSearch search, String from, String to, Goal goal, Predicate<Found> leaves, QueryBudget effort) {
        this.effort = effort;
        this.search = search;
        this.from = from;
        this.to = to;
        this.goal = goal;
        this.leaves = leaves;
        this.open = new PriorityQueue<>(Comparator.comparing(Branch::avoidable)
                .thenComparingLong(branch -> branch.found().totals().of(goal.metric()))
                .thenComparingInt(branch -> branch.found().steps().size())
                .thenComparingInt(Branch::order));
    }

    /**
     * The best one, by the metric of the goal, that leaves the other room; {@link Outcome.None} if there is none.
     *
     * @param best without regard to the other
     */
    public Outcome after(Found best) {
        open.add(branch(best, Set.of(), 0));
        while (!open.isEmpty()) {
            Branch branch = open.remove();
            if (leaves.test(branch.found())) {
                return branch.found();
            }
            for (Link link : search.links(from, branch.found().steps()).keySet()) {
                if (searches >= SEARCHES || effort.spent()) {
                    return new Outcome.GaveUp(searches);
                }
                without(branch, link.undirectedId()).ifPresent(open::add);
            }
        }
        return new Outcome.None();
    }

    private Optional<Branch> without(Branch branch, String link) {
        Set<String> more = new TreeSet<>(branch.without());
        more.add(link);
        if (!seen.add(more)) {
            return Optional.empty();
        }
        searches++;
        Goal less = goal.and(new ApartFrom("", more, Set.of(), Set.of()));
        return search.find(from, to, less, effort) instanceof Found found
                ? Optional.of(branch(found, more, searches))
                : Optional.empty();
    }

    private Branch branch(Found found, Set<String> without, int order) {
        return new Branch(found, without, order, search.passesAvoided(from, to, found.steps()));
    }

    /**
     * The elements that another path must avoid.
     *
     * @param ends of both paths: they are not avoided
     */
    public static ApartFrom apart(String called, Set<Link> links, Set<String> ends, boolean nodes, boolean srlgs) {
        Set<String> between = new TreeSet<>();
        if (nodes) {
            links.forEach(link -> {
                between.add(link.from().node());
                between.add(link.to().node());
            });
            between.removeAll(ends);
        }
        return new ApartFrom(
                called,
                links.stream().map(Link::undirectedId).collect(Collectors.toSet()),
                between,
                srlgs ? links.stream().flatMap(link -> link.srlgs().stream()).collect(Collectors.toSet()) : Set.of());
    }
}
