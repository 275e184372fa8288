// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Plan;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.NodeUnavailableException;
import org.sextant.livelive.Accepted;
import org.sextant.livelive.plan.Taps;

/** Reads the counters of all flows again and again and keeps what they tell. Safe for many threads. */
final class Watch {
    private final DataPlane dataPlane;
    private final Clock clock;
    private final BiConsumer<String, Health.Event> listener;
    private final Map<Key, Seen> seen = new HashMap<>();

    /** One direction. A flow that was removed and made anew may have the id that it had, but has another window. */
    private record Key(int flowId, int window) {
        static Key of(Taps taps) {
            return new Key(taps.flowId(), taps.window());
        }
    }

    private static final class Seen {
        final Health health = new Health();
        Arrivals arrivals;
    }

    /** @param listener told of every change of a path's state, with the flow's id */
    Watch(DataPlane dataPlane, Clock clock, BiConsumer<String, Health.Event> listener) {
        this.dataPlane = dataPlane;
        this.clock = clock;
        this.listener = listener;
    }

    /** One round over all flows. A node that does not answer is left out; the engine tells about it. */
    void round(List<IntentStatus<Accepted>> flows) {
        Set<Key> alive = new HashSet<>();
        for (IntentStatus<Accepted> flow : flows) {
            for (Taps taps : Taps.of(flow.plan())) {
                alive.add(Key.of(taps));
                read(flow.id(), taps);
            }
        }
        synchronized (this) {
            seen.keySet().retainAll(alive);
        }
    }

    /** Reads now; empty if the egress does not answer, or nobody can ask it. */
    Optional<Arrivals> read(String flow, Taps taps) {
        Seen direction;
        synchronized (this) {
            direction = seen.computeIfAbsent(Key.of(taps), none -> new Seen());
        }
        Optional<Arrivals> now;
        List<Health.Event> changes;
        // One reading after the other: taken in another order, the older one would show a path that stopped.
        synchronized (direction) {
            try {
                now = Arrivals.read(dataPlane, taps);
            } catch (NodeUnavailableException away) {
                return Optional.empty();
            }
            if (now.isEmpty()) {
                return now;
            }
            synchronized (this) {
                changes = direction.health.take(now.get(), taps, clock.instant());
                direction.arrivals = now.get();
            }
        }
        changes.forEach(change -> listener.accept(flow, change));
        return now;
    }

    /** As of the last reading. */
    synchronized Optional<Arrivals> known(Taps taps) {
        return Optional.ofNullable(seen.get(Key.of(taps))).map(direction -> direction.arrivals);
    }

    synchronized Health.State state(Taps taps, int path) {
        Seen direction = seen.get(Key.of(taps));
        return direction == null ? Health.State.UNKNOWN : direction.health.state(path);
    }

    synchronized List<Health.Event> events(Plan plan) {
        return Taps.of(plan).stream()
                .map(taps -> seen.get(Key.of(taps)))
                .filter(direction -> direction != null)
                .flatMap(direction -> direction.health.events().stream())
                .sorted((a, b) -> a.at().compareTo(b.at()))
                .toList();
    }
}
