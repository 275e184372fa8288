// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

/** The metric that a shortest path minimizes. */
public enum Metric {
    /** The sum of IGP metrics, which underlay routing minimizes. */
    IGP,
    /** The sum of TE metrics. */
    TE,
    /** The sum of one-way delays in microseconds; a link of unknown delay counts as one microsecond. */
    DELAY,
    /** The number of links. */
    HOPS;

    /** The link's share; never below 1, so that a walk along shortest paths cannot loop. */
    public long of(Link link) {
        return switch (this) {
            case IGP -> link.igpMetric();
            case TE -> link.teMetric();
            case DELAY -> Math.max(1, link.knownDelayMicros());
            case HOPS -> 1;
        };
    }
}
