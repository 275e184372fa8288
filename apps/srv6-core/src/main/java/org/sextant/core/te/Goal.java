// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import java.util.List;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.te.Constraint.Bound;

/**
 * What a computed path is to be: one that meets all constraints, of those with the least sum of the metric, of those with
 * the fewest uSIDs. Where delay is the metric, links of unknown delay are not used.
 */
public record Goal(Metric metric, List<Constraint> constraints) {

    public Goal {
        constraints = List.copyOf(constraints);
    }

    boolean allows(Link link) {
        if (metric == Metric.DELAY && link.delayMicros() == 0) {
            return false;
        }
        return link.up() && constraints.stream().allMatch(one -> one.allows(link));
    }

    List<Bound> bounds() {
        return constraints.stream()
                .filter(Bound.class::isInstance)
                .map(Bound.class::cast)
                .toList();
    }

    Goal without(List<Constraint> some) {
        return new Goal(
                metric, constraints.stream().filter(one -> !some.contains(one)).toList());
    }
}
