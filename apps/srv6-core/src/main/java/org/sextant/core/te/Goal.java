// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.te.Constraint.Bound;
import org.sextant.core.te.Constraint.SidDepth;
import org.sextant.core.te.Constraint.Stop;

/**
 * The goal of a computed path: it meets all constraints, with the least sum of the metric, then the fewest segments,
 * then the fewest uSIDs. Where delay is the metric, links of unknown delay are not used.
 */
public record Goal(Metric metric, List<Constraint> constraints) {

    public Goal {
        constraints = List.copyOf(constraints);
    }

    boolean allows(Link link) {
        if (metric == Metric.DELAY && link.knownDelayMicros() == 0) {
            return false;
        }
        return link.up() && constraints.stream().allMatch(one -> one.allows(link));
    }

    /** True if links of unknown delay cannot be used. */
    boolean needsDelay() {
        return metric == Metric.DELAY || bounds().stream().anyMatch(bound -> bound.metric() == Metric.DELAY);
    }

    List<Bound> bounds() {
        return constraints.stream()
                .filter(Bound.class::isInstance)
                .map(Bound.class::cast)
                .toList();
    }

    /** The most segments that the headend pushes; empty without a limit. */
    Optional<SidDepth> depth() {
        return constraints.stream()
                .filter(SidDepth.class::isInstance)
                .map(SidDepth.class::cast)
                .findFirst();
    }

    /** The elements to be visited, in order. */
    List<Stop> stops() {
        return constraints.stream()
                .filter(Stop.class::isInstance)
                .map(Stop.class::cast)
                .sorted(Comparator.comparingInt(Stop::position))
                .toList();
    }

    /** One more. */
    public Goal and(Constraint more) {
        List<Constraint> all = new ArrayList<>(constraints);
        all.add(more);
        return new Goal(metric, all);
    }

    /** With this in place of another constraint of its kind. */
    public Goal with(Constraint other) {
        return new Goal(
                metric,
                constraints.stream()
                        .map(one -> one.getClass() == other.getClass() ? other : one)
                        .toList());
    }

    /** The least of another metric instead, over links that may be used for this goal. */
    Goal minimizing(Metric other) {
        Goal least = new Goal(other, constraints);
        return metric == Metric.DELAY ? least.and(new Constraint.KnownDelay()) : least;
    }

    Goal without(List<Constraint> some) {
        return new Goal(
                metric, constraints.stream().filter(one -> !some.contains(one)).toList());
    }
}
