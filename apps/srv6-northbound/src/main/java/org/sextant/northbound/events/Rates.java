// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.core.port.Telemetry.PortCounters;
import org.sextant.core.port.Telemetry.Sample;

/** Turns counters that grow into the present rates of a port. Not thread-safe. */
final class Rates {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int BITS_PER_BYTE = 8;

    private final Map<String, Map<Integer, Reading>> readings = new HashMap<>();

    private record Reading(long nanos, PortCounters counters) {}

    /**
     * The average rate of a port between two readings.
     *
     * @param probes those among it, never more than it; empty if the node does not count them separately
     */
    record Rate(long inBitsPerSecond, long outBitsPerSecond, Optional<Rate> probes) {
        Rate(long inBitsPerSecond, long outBitsPerSecond) {
            this(inBitsPerSecond, outBitsPerSecond, Optional.empty());
        }

        /** The smaller of both rates in each direction. */
        Rate most(Rate other) {
            return new Rate(
                    Math.min(inBitsPerSecond, other.inBitsPerSecond),
                    Math.min(outBitsPerSecond, other.outBitsPerSecond));
        }
    }

    /** The rates since the sample before; a port seen for the first time, or whose node started over, has none yet. */
    SortedMap<Integer, Rate> take(Sample sample) {
        Map<Integer, Reading> known = readings.computeIfAbsent(sample.node(), node -> new HashMap<>());
        SortedMap<Integer, Rate> rates = new TreeMap<>();
        sample.ports().forEach((port, counters) -> {
            Reading now = new Reading(sample.nanos(), counters);
            Reading before = known.put(port, now);
            if (before != null) {
                between(before, now).ifPresent(rate -> rates.put(port, rate));
            }
        });
        return rates;
    }

    private static Optional<Rate> between(Reading before, Reading now) {
        double seconds = (now.nanos - before.nanos) / NANOS_PER_SECOND;
        long in = now.counters.inBytes() - before.counters.inBytes();
        long out = now.counters.outBytes() - before.counters.outBytes();
        if (seconds <= 0 || in < 0 || out < 0) {
            return Optional.empty();
        }
        Rate all = new Rate(bits(in, seconds), bits(out, seconds));
        return Optional.of(new Rate(
                all.inBitsPerSecond,
                all.outBitsPerSecond,
                probes(before, now, seconds).map(all::most)));
    }

    /** Empty also where their counters have begun anew. */
    private static Optional<Rate> probes(Reading before, Reading now, double seconds) {
        return before.counters
                .probes()
                .flatMap(then -> now.counters.probes().flatMap(known -> {
                    long in = known.inBytes() - then.inBytes();
                    long out = known.outBytes() - then.outBytes();
                    return in < 0 || out < 0
                            ? Optional.empty()
                            : Optional.of(new Rate(bits(in, seconds), bits(out, seconds)));
                }));
    }

    private static long bits(long bytes, double seconds) {
        return Math.round(bytes * BITS_PER_BYTE / seconds);
    }
}
