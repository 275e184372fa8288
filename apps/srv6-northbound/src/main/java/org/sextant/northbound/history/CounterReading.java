// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.history;

import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.sextant.core.port.Telemetry.PortCounters;
import org.sextant.core.port.Telemetry.ProbeCounters;

/**
 * A counter of a port, with traffic and probes apart. A node reads frames and probes one after the other, and its count of
 * probes may begin at zero on its own; the traffic only grows all the same, until the port's own counter begins anew.
 *
 * @param all frames or their bytes, probes among them
 * @param probes empty if the node does not count them separately
 * @param difference of both, summed up from reading to reading; it may shrink by a probe that was counted in between
 * @param traffic the most that the difference has been
 */
record CounterReading(long all, Optional<Long> probes, long difference, long traffic) {

    /** @param before the reading of the same counter before this; null for the first */
    static CounterReading next(@Nullable CounterReading before, long all, Optional<Long> probes) {
        if (before == null || all < before.all) {
            return new CounterReading(all, probes, all, all);
        }
        long probed = probes.map(now -> since(before.probes.orElse(now), now)).orElse(0L);
        long difference = before.difference + all - before.all - probed;
        return new CounterReading(all, probes, difference, Math.max(before.traffic, difference));
    }

    private static long since(long before, long now) {
        return now < before ? now : now - before;
    }

    /**
     * A direction of a port.
     *
     * @param packets empty if the node counts bytes only
     */
    record Direction(CounterReading bytes, Optional<CounterReading> packets) {

        static Direction in(@Nullable Direction before, PortCounters now) {
            return next(
                    before,
                    now.inBytes(),
                    now.packets().map(packets -> packets.in()),
                    now.probes(),
                    ProbeCounters::inBytes,
                    probes -> probes.packets().in());
        }

        static Direction out(@Nullable Direction before, PortCounters now) {
            return next(
                    before,
                    now.outBytes(),
                    now.packets().map(packets -> packets.out()),
                    now.probes(),
                    ProbeCounters::outBytes,
                    probes -> probes.packets().out());
        }

        private static Direction next(
                @Nullable Direction before,
                long bytes,
                Optional<Long> packets,
                Optional<ProbeCounters> probes,
                Function<ProbeCounters, Long> bytesOf,
                Function<ProbeCounters, Long> packetsOf) {
            CounterReading packetsBefore = before == null ? null : before.packets.orElse(null);
            return new Direction(
                    CounterReading.next(before == null ? null : before.bytes, bytes, probes.map(bytesOf)),
                    packets.map(count -> CounterReading.next(packetsBefore, count, probes.map(packetsOf))));
        }
    }

    /**
     * A port as its node counted it at a moment.
     *
     * @param nanos by a clock that only their differences are good for
     */
    record Port(long nanos, Direction in, Direction out) {

        static Port next(@Nullable Port before, long nanos, PortCounters now) {
            return new Port(
                    nanos,
                    Direction.in(before == null ? null : before.in, now),
                    Direction.out(before == null ? null : before.out, now));
        }

        /** True if the node counts probes apart. */
        boolean isApart() {
            return in.bytes.probes.isPresent();
        }
    }
}
