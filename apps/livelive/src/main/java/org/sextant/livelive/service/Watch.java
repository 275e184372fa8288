// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Plan;
import org.sextant.livelive.LiveLive;
import org.sextant.livelive.plan.Taps;

/** Reads the counters of all flows periodically and keeps their results. Thread-safe. */
final class Watch {
    private final Readings readings;
    private final Clock clock;
    private final BiConsumer<String, Health.Event> listener;
    private final Map<Key, Seen> seen = new HashMap<>();
    /** Counts the beginnings and ends of readings. */
    private long ticks;

    /** The key of a direction. A flow that was posted again has another id, one with new numbers another window. */
    private record Key(int flowId, int window) {
        static Key of(Taps taps) {
            return new Key(taps.flowId(), taps.window());
        }
    }

    private static final class Seen {
        final Health health = new Health();
        Reading last = Reading.NOTHING;
        long lastBegun;
        long judgedEnded;
    }

    /** @param listener receives every change of a state, with the flow's id */
    Watch(Readings readings, Clock clock, BiConsumer<String, Health.Event> listener) {
        this.readings = readings;
        this.clock = clock;
        this.listener = listener;
    }

    /** Reads all flows once. A node that does not answer is skipped; the engine reports it. */
    void round(List<IntentStatus<LiveLive>> flows) {
        Map<Taps, String> directions = new LinkedHashMap<>();
        flows.forEach(flow -> Taps.of(flow.plan()).forEach(taps -> directions.put(taps, flow.id())));
        if (!readings.blind()) {
            read(directions);
        }
        synchronized (this) {
            seen.keySet().retainAll(directions.keySet().stream().map(Key::of).toList());
        }
    }

    /** Reads one flow now. */
    void read(Plan plan, String id) {
        Map<Taps, String> directions = new LinkedHashMap<>();
        Taps.of(plan).forEach(taps -> directions.put(taps, id));
        read(directions);
    }

    private void read(Map<Taps, String> directions) {
        long begun = begin(directions.keySet());
        Map<Taps, Reading> read =
                readings.read(directions.keySet(), taps -> known(taps).arrivals());
        read.forEach((taps, reading) ->
                take(taps, reading, begun).forEach(change -> listener.accept(directions.get(taps), change)));
    }

    private synchronized long begin(Collection<Taps> directions) {
        directions.forEach(taps -> seen.computeIfAbsent(Key.of(taps), none -> new Seen()));
        return ++ticks;
    }

    /**
     * Accepts a reading. Readings on request may overlap with periodic ones. States derive from consecutive readings
     * only: of two overlapping ones, either may have the older counters, and paths would seem to be down.
     */
    private synchronized List<Health.Event> take(Taps taps, Reading reading, long begun) {
        Seen direction = seen.get(Key.of(taps));
        if (direction == null || begun < direction.lastBegun) {
            return List.of();
        }
        direction.last = reading;
        direction.lastBegun = begun;
        if (begun < direction.judgedEnded) {
            direction.health.show(reading, taps);
            return List.of();
        }
        direction.judgedEnded = ++ticks;
        return direction.health.take(reading, taps, clock.instant());
    }

    /** The last reading. */
    synchronized Reading known(Taps taps) {
        Seen direction = seen.get(Key.of(taps));
        return direction == null ? Reading.NOTHING : direction.last;
    }

    /** The counters and states of a direction and its paths, by the last reading. */
    synchronized LiveLiveView.DirectionCounts counts(Taps taps) {
        Seen direction = seen.get(Key.of(taps));
        Health health = direction == null ? new Health() : direction.health;
        Map<Integer, Health.State> states = new HashMap<>();
        Map<Integer, Long> lost = new HashMap<>();
        for (int path : taps.paths()) {
            states.put(path, health.state(path));
            health.lost(path).ifPresent(count -> lost.put(path, count));
        }
        Reading last = direction == null ? Reading.NOTHING : direction.last;
        return new LiveLiveView.DirectionCounts(taps, last, health.state(), health.lost(), states, lost);
    }

    synchronized List<Health.Event> events(Plan plan) {
        return Taps.of(plan).stream()
                .map(taps -> Optional.ofNullable(seen.get(Key.of(taps))))
                .flatMap(Optional::stream)
                .flatMap(direction -> direction.health.events().stream())
                .sorted((a, b) -> a.at().compareTo(b.at()))
                .toList();
    }
}
