// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.IntentRef;
import org.sextant.livelive.plan.Taps;

/**
 * Derives from successive readings the states of a direction and its paths. A path that is down does not affect the
 * flow, but the flow has one level of redundancy less. Not thread-safe.
 */
final class Health {
    /** Live-Live is meant for paths that lose a tenth of their packets. */
    private static final double LOSSY_PATH = 0.2;

    private static final double GOOD_PATH = 0.1;

    /** Packets lost on all paths are not delivered at all, so this limit is low. */
    private static final double LOSSY_DIRECTION = 0.01;

    private static final double GOOD_DIRECTION = 0.001;
    private static final int MOST_EVENTS = 32;

    /**
     * Two consecutive packets that arrived over no path in due time: the ingress has counted them, so the flow has not
     * paused. With readings every 800 ms a flow of one packet a second is down in three seconds.
     */
    private static final int ENOUGH_OF_DIRECTION = 2;

    private static final Duration PATIENCE_OF_DIRECTION = Duration.ofMillis(750);

    /** The state of one path, or of all of them together. */
    enum State {
        /** No packet of the flow has arrived since the first reading. */
        UNKNOWN,
        DELIVERING,
        /** On a path, more than a fifth is lost; of a direction, more than one in a hundred on all paths. */
        LOSSY,
        /** No packet arrived over this path although the flow has packets: a latent failure. */
        SILENT,
        /** No packet arrived over any path although the flow has packets. */
        DOWN
    }

    /**
     * A change of a state.
     *
     * @param path empty for the whole direction
     * @param subject the path or direction, the same in all reports about it
     */
    record Event(Instant at, Optional<Integer> path, String subject, State state, String message) {

        /** The event for the engine's listeners. */
        EngineEvent.IntentReported report(IntentRef flow) {
            return new EngineEvent.IntentReported(flow, subject, state != State.DELIVERING, message);
        }
    }

    private final Map<Integer, Meter> paths = new TreeMap<>();
    private final Map<Integer, LossCounter> tallies = new TreeMap<>();
    private final Map<Integer, Long> lostByPath = new TreeMap<>();
    private final Meter whole = new Meter(LOSSY_DIRECTION, GOOD_DIRECTION, ENOUGH_OF_DIRECTION, PATIENCE_OF_DIRECTION);
    private final LossCounter tally = new LossCounter();
    private final Deque<Event> events = new ArrayDeque<>();
    private Optional<Long> lost = Optional.empty();

    /** The state changes in a reading. */
    List<Event> take(Reading now, Taps taps, Instant at) {
        List<Event> changes = new ArrayList<>();
        for (Map<Integer, ?> one : List.of(paths, tallies, lostByPath)) {
            one.keySet().retainAll(taps.paths());
        }
        now.arrivals().ifPresent(arrivals -> take(now, arrivals, taps, at, changes));
        for (Event change : changes) {
            events.addLast(change);
            if (events.size() > MOST_EVENTS) {
                events.removeFirst();
            }
        }
        return changes;
    }

    private void take(Reading now, Arrivals arrivals, Taps taps, Instant at, List<Event> changes) {
        boolean counted = now.counted();
        long before = counted ? now.before().get().packets() : arrivals.delivered();
        long after = counted ? now.after().get().packets() : arrivals.delivered();
        for (int path : taps.paths()) {
            paths.computeIfAbsent(path, none -> new Meter(LOSSY_PATH, GOOD_PATH))
                    .take(before, arrivals.of(path).arrived(), after, counted, at)
                    .ifPresent(change -> changes.add(event(at, Optional.of(path), taps, change)));
            if (counted) {
                tallies.computeIfAbsent(path, none -> new LossCounter())
                        .lost(
                                now.before().get().copies(path),
                                arrivals.of(path).arrived(),
                                now.after().get().copies(path));
            }
        }
        if (counted) {
            whole.take(before, arrivals.delivered(), after, true, at)
                    .ifPresent(change -> changes.add(event(at, Optional.empty(), taps, change)));
            tally.lost(before, arrivals.delivered(), after);
        }
        show(now, taps);
    }

    /** Updates the losses only: the reading may overlap with the last one. */
    void show(Reading now, Taps taps) {
        now.arrivals().ifPresent(arrivals -> {
            for (int path : taps.paths()) {
                long arrived = arrivals.of(path).arrived();
                if (now.counted()) {
                    LossCounter tally = tallies.computeIfAbsent(path, none -> new LossCounter());
                    lostByPath.put(path, tally.lost(now.before().get().copies(path), arrived));
                } else if (!tallies.containsKey(path)) {
                    lostByPath.put(path, Math.max(0, arrivals.delivered() - arrived));
                }
            }
            if (now.counted()) {
                lost = Optional.of(tally.lost(now.before().get().packets(), arrivals.delivered()));
            }
        });
    }

    private static Event event(Instant at, Optional<Integer> path, Taps taps, Meter.Change change) {
        String way = "from " + taps.ingress() + " to " + taps.egress();
        String subject = path.map(number -> "path " + number + " " + way).orElse("flow " + way);
        String of = change.lost() + " of the last " + change.sent() + " packets";
        String told = switch (change.now()) {
            case ALL_LOST ->
                " delivered none of the last " + change.sent() + " packets"
                        + (path.isPresent() ? "" : ", over no path");
            case SOME_LOST -> " lost " + of + " or more" + (path.isPresent() ? "" : ", on all paths");
            case GOOD, UNKNOWN -> " delivers again";
        };
        return new Event(at, path, subject, state(change.now(), path.isPresent()), subject + told);
    }

    private static State state(Meter.Verdict verdict, boolean path) {
        return switch (verdict) {
            case UNKNOWN -> State.UNKNOWN;
            case GOOD -> State.DELIVERING;
            case SOME_LOST -> State.LOSSY;
            case ALL_LOST -> path ? State.SILENT : State.DOWN;
        };
    }

    State state(int path) {
        Meter meter = paths.get(path);
        return meter == null ? State.UNKNOWN : state(meter.verdict(), true);
    }

    /** The state of the direction. */
    State state() {
        return state(whole.verdict(), false);
    }

    /** The least number of packets that arrived over no path; empty if the ingress has no counters. */
    Optional<Long> lost() {
        return lost;
    }

    /**
     * The least number of copies that were sent over a path and did not arrive; without counters of the ingress,
     * compared with the packets that other paths delivered.
     */
    Optional<Long> lost(int path) {
        return Optional.ofNullable(lostByPath.get(path));
    }

    /** The latest changes, oldest first. */
    List<Event> events() {
        return List.copyOf(events);
    }
}
