// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.sextant.core.history.Amount;
import org.sextant.core.history.Reading;
import org.sextant.core.intent.IntentStatus;
import org.sextant.livelive.LiveLive;
import org.sextant.livelive.plan.Taps;

/**
 * Measures the delivered and lost packets of flows, both directions together, from their last readings, without further
 * reads of nodes.
 */
final class FlowMeasures {
    private static final double MOST = 0.99;

    private FlowMeasures() {}

    static List<Reading> of(String kind, List<IntentStatus<LiveLive>> flows, Watch watch, long nanos) {
        List<Reading> readings = new ArrayList<>();
        for (IntentStatus<LiveLive> flow : flows) {
            List<Taps> directions = Taps.of(flow.plan());
            Map<String, Amount> amounts =
                    amounts(directions.stream().map(watch::counts).toList());
            if (!amounts.isEmpty()) {
                String source = directions.stream()
                        .map(taps -> taps.flowId() + "/" + taps.window())
                        .toList()
                        .toString();
                readings.add(new Reading(kind + ":" + flow.id(), source, nanos, amounts));
            }
        }
        return readings;
    }

    /** The sums over all directions; empty if one is missing, as a partial sum would look like a reset of counters. */
    private static Map<String, Amount> amounts(List<LiveLiveView.DirectionCounts> directions) {
        Map<String, Amount> amounts = new TreeMap<>();
        boolean counted =
                directions.stream().allMatch(one -> one.reading().arrivals().isPresent());
        if (directions.isEmpty() || !counted) {
            return amounts;
        }
        long delivered = directions.stream()
                .mapToLong(one -> one.reading().arrivals().orElseThrow().delivered())
                .sum();
        amounts.put("deliveredPerSecond", new Amount.Counter(delivered));
        if (directions.stream().allMatch(one -> one.lost().isPresent())) {
            long lost = directions.stream()
                    .mapToLong(one -> one.lost().orElseThrow())
                    .sum();
            amounts.put("lossPercent", new Amount.Share(lost, lost + delivered));
        }
        behind(directions).ifPresent(micros -> amounts.put("behindMicros", new Amount.Level(micros)));
        return amounts;
    }

    /** The time by which the slowest path is behind the first copy, for nearly all packets since the counters began. */
    private static OptionalLong behind(List<LiveLiveView.DirectionCounts> directions) {
        return directions.stream()
                .flatMapToLong(one -> one.taps().paths().stream()
                        .flatMapToLong(
                                path -> one.reading().arrivals().orElseThrow().of(path).behindMicros(MOST).stream()))
                .max();
    }
}
