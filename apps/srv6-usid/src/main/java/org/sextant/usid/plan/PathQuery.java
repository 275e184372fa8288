// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.te.Constraint;
import org.sextant.core.te.Constraint.Bandwidth;
import org.sextant.core.te.Constraint.Bound;
import org.sextant.core.te.Goal;
import org.sextant.core.te.Obstacle;
import org.sextant.core.te.PairSearch;
import org.sextant.core.te.PathSearch;
import org.sextant.core.te.PathSearch.Outcome;
import org.sextant.core.te.PathSearch.Outcome.Found;
import org.sextant.core.te.Step;
import org.sextant.core.te.Totals;

/** Searches for one path, and describes the reason if there is none. */
final class PathQuery {
    private final String from;
    private final String to;
    private final PathSearch search;
    private final SearchBudget budget;
    private final Optional<ResidualCapacity> room;
    private Goal goal;

    /** @param goal with the bandwidth constraint of {@code room} */
    PathQuery(
            String from,
            String to,
            Goal goal,
            PathSearch search,
            SearchBudget budget,
            Optional<ResidualCapacity> room) {
        this.from = from;
        this.to = to;
        this.goal = goal;
        this.search = search;
        this.budget = budget;
        this.room = room;
    }

    /** The goal, with the links that {@link #find} has excluded. */
    Goal goal() {
        return goal;
    }

    /**
     * A link that packets may use more than once needs capacity for each time. A link without it is excluded and the
     * search repeated, which may miss a path that uses the link only once: an error on the safe side.
     */
    Outcome find() {
        Outcome outcome = search.find(from, to, goal, budget.paths());
        while (outcome instanceof Found found && !overdrawn(found).isEmpty()) {
            goal = goal.with(ResidualCapacity.less(bandwidth().orElseThrow(), overdrawn(found)));
            outcome = search.find(from, to, goal, budget.paths());
        }
        return outcome;
    }

    /**
     * The best path that leaves another one possible, or the best of all if none does.
     *
     * @param leaves true if a path over these links does
     * @param warn receives a warning if the search was incomplete
     */
    Outcome leaving(Predicate<Set<Link>> leaves, Consumer<String> warn) {
        Outcome best = find();
        if (!(best instanceof Found found)) {
            return best;
        }
        Predicate<Found> both = one -> overdrawn(one).isEmpty()
                && leaves.test(search.links(from, one.steps()).keySet());
        Outcome pair = new PairSearch(search, from, to, goal, both, budget.paths()).after(found);
        if (pair instanceof Outcome.GaveUp gaveUp) {
            warn.accept(
                    "no two disjoint paths were found in " + gaveUp.steps() + " searches, and not all were looked at");
        }
        return pair instanceof Found ? pair : best;
    }

    private List<Link> overdrawn(Found found) {
        return room.map(some -> some.overdrawn(search.links(from, found.steps())))
                .orElse(List.of());
    }

    private Optional<Bandwidth> bandwidth() {
        return goal.constraints().stream()
                .filter(Bandwidth.class::isInstance)
                .map(Bandwidth.class::cast)
                .findFirst();
    }

    /** By link id, in kbit/s. */
    Map<String, Long> reserved(Found found) {
        return room.<Map<String, Long>>map(some -> some.shares(search.links(from, found.steps())))
                .orElse(Map.of());
    }

    /** The policies whose priority kept this one from a better path, if any. */
    Optional<String> preempted(Found found) {
        return wouldBe()
                .filter(better -> !better.steps().equals(found.steps()))
                .map(better -> preempted(search.links(from, better.steps()).keySet()))
                .filter(text -> !text.isEmpty())
                .map(text -> "preempted " + text + ", so it takes another path");
    }

    /** The path that would result if no reservation preempted this policy. */
    private Optional<Found> wouldBe() {
        Optional<Bandwidth> now = bandwidth();
        if (room.isEmpty() || now.isEmpty()) {
            return Optional.empty();
        }
        Bandwidth without = room.get().withoutPreempting(now.get());
        return without.equals(now.get())
                        || !(search.find(from, to, goal.with(without), budget.reasons()) instanceof Found found)
                ? Optional.empty()
                : Optional.of(found);
    }

    private String preempted(Collection<Link> links) {
        return room.map(some -> some.preempted(links, bandwidth().orElseThrow()))
                .orElse("");
    }

    private String missing(Found instead) {
        Collection<Link> links = search.links(from, instead.steps()).keySet();
        String missing = room.map(some -> some.missing(links)).orElse("");
        String preempted = wouldBe()
                .map(found -> preempted(search.links(from, found.steps()).keySet()))
                .orElse("");
        return (missing.isEmpty() ? "" : ", but " + missing) + (preempted.isEmpty() ? "" : "; preempted " + preempted);
    }

    String gaveUp(Outcome.GaveUp gaveUp) {
        return "no path from " + from + " to " + to + " was found in " + gaveUp.steps()
                + " steps, and not all were looked at: bounds on several metrics make the search hard";
    }

    /** A smallest set of constraints without which a path would exist, with its numbers. */
    String why() {
        String nothing = "no path from " + from + " to " + to + " meets all constraints";
        Optional<Obstacle> obstacle = Obstacle.between(from, to, goal, search, budget.reasons());
        if (obstacle.isEmpty()) {
            return nothing + ", and taking back no three of them was found to help";
        }
        List<Constraint> blamed = obstacle.get().constraints();
        if (blamed.isEmpty()) {
            return "no path of links that are up"
                    + (goal.metric() == Metric.DELAY ? " and of known delay" : "")
                    + " leads from " + from + " to " + to;
        }
        Found instead = obstacle.get().instead().orElseThrow();
        String over = Stream.concat(Stream.of(from), instead.steps().stream().map(Step::node))
                .distinct()
                .collect(Collectors.joining(", "));
        StringBuilder text = new StringBuilder(nothing)
                .append(": ")
                .append(blamed.stream().map(Constraint::text).collect(Collectors.joining(" and ")))
                .append(blamed.size() == 1 ? " stands" : " stand")
                .append(" in the way; without ")
                .append(blamed.size() == 1 ? "it" : "them")
                .append(" there is one of ")
                .append(sums(instead.totals()))
                .append(" over ")
                .append(over);
        obstacle.get()
                .least()
                .forEach(least -> text.append("; the least that can be is ")
                        .append(Totals.text(least.bound().metric(), least.sum())));
        if (blamed.stream().anyMatch(Bandwidth.class::isInstance)) {
            text.append(missing(instead));
        }
        return text.toString();
    }

    /** The sums of the goal's metrics, in the order of the metrics. */
    private String sums(Totals totals) {
        return Stream.concat(
                        Stream.of(goal.metric()),
                        goal.constraints().stream()
                                .filter(Bound.class::isInstance)
                                .map(one -> ((Bound) one).metric()))
                .distinct()
                .sorted()
                .map(metric -> Totals.text(metric, totals.of(metric)))
                .collect(Collectors.joining(", "));
    }
}
