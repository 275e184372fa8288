// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import java.util.List;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;

/**
 * Sums of every metric over a path of packets; of several equally short paths the largest of each.
 *
 * @param delayMicros a link of unknown delay counts as one
 * @param hops links
 */
public record Totals(long igp, long te, long delayMicros, long hops) {
    static final Totals NONE = new Totals(0, 0, 0, 0);

    static Totals of(Link link) {
        return new Totals(Metric.IGP.of(link), Metric.TE.of(link), Metric.DELAY.of(link), Metric.HOPS.of(link));
    }

    /** The sums of one path. */
    public static Totals over(List<Link> links) {
        return links.stream().map(Totals::of).reduce(NONE, Totals::plus);
    }

    public long of(Metric metric) {
        return switch (metric) {
            case IGP -> igp;
            case TE -> te;
            case DELAY -> delayMicros;
            case HOPS -> hops;
        };
    }

    Totals plus(Totals more) {
        return new Totals(
                Math.addExact(igp, more.igp),
                Math.addExact(te, more.te),
                Math.addExact(delayMicros, more.delayMicros),
                Math.addExact(hops, more.hops));
    }

    /** The larger of each. */
    public Totals orMore(Totals other) {
        return new Totals(
                Math.max(igp, other.igp),
                Math.max(te, other.te),
                Math.max(delayMicros, other.delayMicros),
                Math.max(hops, other.hops));
    }

    /** For operators: {@code 7400 µs}, {@code 3 links}, {@code IGP metric 30}. */
    public static String text(Metric metric, long sum) {
        return switch (metric) {
            case IGP -> "IGP metric " + sum;
            case TE -> "TE metric " + sum;
            case DELAY -> sum + " µs";
            case HOPS -> sum + (sum == 1 ? " link" : " links");
        };
    }
}
