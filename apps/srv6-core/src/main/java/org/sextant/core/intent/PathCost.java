// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.Objects;
import org.sextant.core.net.Metric;

/**
 * The cost of the best path from one node to another. A link that comes, or changes, can be part of a path as good as that one only
 * if some path over it costs no more.
 *
 * @param from the name of a node
 * @param to the name of a node
 * @param cost the sum of the metric
 */
public record PathCost(String from, String to, Metric metric, long cost) {
    public PathCost {
        Objects.requireNonNull(from);
        Objects.requireNonNull(to);
        Objects.requireNonNull(metric);
    }
}
