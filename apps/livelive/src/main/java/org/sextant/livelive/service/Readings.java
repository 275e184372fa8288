// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.DataPlane.Stored;
import org.sextant.core.port.NodeUnavailableException;
import org.sextant.livelive.plan.Taps;

/**
 * Reads directions: first the ingress, then, after the delay of the slowest path, the egress, then the ingress again.
 * Each ingress is read once for all its flows.
 */
final class Readings {
    /** The delay of a path with unknown delay, including the time of a read. */
    static final Duration USUAL = Duration.ofMillis(250);

    /** The maximum wait, for paths of any delay. */
    static final Duration MOST = Duration.ofSeconds(3);

    /** Waits for some time. */
    interface Pause {
        void last(Duration duration) throws InterruptedException;
    }

    private final DataPlane dataPlane;
    private final Pause pause;
    private volatile boolean blind;

    Readings(DataPlane dataPlane, Pause pause) {
        this.dataPlane = dataPlane;
        this.pause = pause;
    }

    /**
     * @param known the last arrivals of a direction
     * @return a reading of each
     */
    Map<Taps, Reading> read(Collection<Taps> directions, Function<Taps, Optional<Arrivals>> known) {
        Map<Taps, Optional<IngressCounters>> before = sent(directions);
        settle(before, known);
        Map<Taps, Optional<Arrivals>> arrivals = new HashMap<>();
        directions.forEach(taps -> arrivals.put(taps, arrivals(taps)));
        Map<Taps, Optional<IngressCounters>> after = sent(directions);
        Map<Taps, Reading> readings = new LinkedHashMap<>();
        directions.forEach(taps -> readings.put(
                taps,
                new Reading(
                        before.getOrDefault(taps, Optional.empty()),
                        arrivals.getOrDefault(taps, Optional.empty()),
                        after.getOrDefault(taps, Optional.empty()))));
        return readings;
    }

    /** Is true if the controller's host has proved not to read cells: then monitoring is impossible. */
    boolean blind() {
        return blind;
    }

    private Map<Taps, Optional<IngressCounters>> sent(Collection<Taps> directions) {
        Map<String, List<Stored>> rows = new HashMap<>();
        Map<Taps, Optional<IngressCounters>> sent = new HashMap<>();
        for (Taps taps : directions) {
            sent.put(taps, IngressCounters.of(rows.computeIfAbsent(taps.ingress(), this::rows), taps));
        }
        return sent;
    }

    private List<Stored> rows(String ingress) {
        try {
            return dataPlane.read(ingress, IngressCounters.TABLES);
        } catch (NodeUnavailableException away) {
            return List.of();
        }
    }

    private Optional<Arrivals> arrivals(Taps taps) {
        try {
            Optional<Arrivals> arrivals = Arrivals.read(dataPlane, taps);
            blind = arrivals.isEmpty();
            return arrivals;
        } catch (NodeUnavailableException away) {
            return Optional.empty();
        }
    }

    /** No packets are in flight if none was ever sent. */
    private void settle(Map<Taps, Optional<IngressCounters>> sent, Function<Taps, Optional<Arrivals>> known) {
        Duration longest = Duration.ZERO;
        for (Map.Entry<Taps, Optional<IngressCounters>> one : sent.entrySet()) {
            if (one.getValue().filter(counted -> counted.packets() > 0).isPresent()) {
                Duration needed = underWay(one.getKey(), known.apply(one.getKey()));
                longest = needed.compareTo(longest) > 0 ? needed : longest;
            }
        }
        try {
            if (!longest.isZero()) {
                pause.last(longest);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * The maximum time of a packet in flight: the known delay of the paths, or the measured difference between them.
     */
    static Duration underWay(Taps taps, Optional<Arrivals> known) {
        long apart = known.stream()
                .flatMap(arrivals -> taps.paths().stream().map(arrivals::of))
                .flatMapToLong(path -> path.behindMicros(0.99).stream())
                .max()
                .orElse(0);
        long micros = USUAL.toNanos() / 1000 + Math.max(taps.delayMicros(), apart);
        return Duration.ofNanos(Math.min(MOST.toNanos(), micros * 1000));
    }
}
