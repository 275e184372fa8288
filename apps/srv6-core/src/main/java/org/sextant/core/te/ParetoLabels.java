// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sextant.core.net.Metric;
import org.sextant.core.te.Constraint.Bound;
import org.sextant.core.te.Label.Place;

/** The Pareto-optimal labels of each place. */
final class ParetoLabels {
    private final List<Metric> counted;
    private final boolean deep;
    private final Map<Place, List<Label>> at = new HashMap<>();
    private int size;

    /** @param deep true if fewer segments are worth a larger sum, as there is a limit to them */
    ParetoLabels(Goal goal, boolean deep) {
        this.deep = deep;
        counted = new ArrayList<>(List.of(goal.metric()));
        goal.bounds().stream()
                .map(Bound::metric)
                .filter(metric -> metric != goal.metric())
                .distinct()
                .forEach(counted::add);
    }

    /** True if a lower cost alone is better, however many uSIDs it takes. */
    boolean countsOneMetric() {
        return counted.size() == 1 && !deep;
    }

    boolean keeps(Label label) {
        List<Label> here = at.computeIfAbsent(label.place(), place -> new ArrayList<>());
        if (here.stream().anyMatch(other -> beats(other, label))) {
            return false;
        }
        here.removeIf(other -> beats(label, other));
        here.add(label);
        size++;
        return true;
    }

    /** The number of labels that were kept at some time: dominated ones may still be prefixes of others. */
    int size() {
        return size;
    }

    boolean isKept(Label label) {
        return label.isStart()
                || at.getOrDefault(label.place(), List.of()).stream().anyMatch(one -> one == label);
    }

    private boolean beats(Label one, Label other) {
        boolean packsAsWell = one.fill().isNoWorseThan(other.fill());
        boolean shorter = packsAsWell
                && (one.usids() < other.usids() || one.usids() == other.usids() && one.pins() <= other.pins());
        if (counted.size() == 1) {
            long less = one.totals().of(counted.get(0));
            long more = other.totals().of(counted.get(0));
            return less < more && (packsAsWell || !deep) || less == more && shorter;
        }
        return shorter
                && counted.stream()
                        .allMatch(metric ->
                                one.totals().of(metric) <= other.totals().of(metric));
    }
}
