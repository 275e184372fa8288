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
 * Tells from successive readings which paths of one direction deliver, and whether the direction does. The flow does not feel
 * a path that is silent, but it is one failure away from feeling the next. Not for several threads.
 */
final class Health {
    /** Paths that lose a tenth are what Live-Live is for. */
    private static final double LOSSY_PATH = 0.2;

    private static final double GOOD_PATH = 0.1;

    /** Of what all paths lost nothing is left, so little is much. */
    private static final double LOSSY_DIRECTION = 0.01;

    private static final double GOOD_DIRECTION = 0.001;
    private static final int MOST_EVENTS = 32;

    /**
     * Two packets in a row that came over no path, though they had the time: the ingress has counted them, so it is no pause of the flow.
     * With readings every 800 ms a flow of one packet a second is down in three seconds.
     */
    private static final int ENOUGH_OF_DIRECTION = 2;

    private static final Duration PATIENCE_OF_DIRECTION = Duration.ofMillis(750);

    /** The state of one path, or of all of them together. */
    enum State {
        /** No packet of the flow came since the controller looks. */
        UNKNOWN,
        DELIVERING,
        /** Of a path: more than a fifth is lost. Of a direction: more than one in a hundred, on all paths. */
        LOSSY,
        /** Nothing came over this path although the flow has packets: a latent failure. */
        SILENT,
        /** Nothing came over any path although the flow has packets. */
        DOWN
    }

    /**
     * A change of a state.
     *
     * @param path empty for the whole direction
     * @param subject what it is about, the same in all reports about it
     */
    record Event(Instant at, Optional<Integer> path, String subject, State state, String message) {

        /** For the engine's listeners. */
        EngineEvent.IntentReported report(IntentRef flow) {
            return new EngineEvent.IntentReported(flow, subject, state != State.DELIVERING, message);
        }
    }

    private final Map<Integer, Meter> paths = new TreeMap<>();
    private final Map<Integer, Tally> tallies = new TreeMap<>();
    private final Map<Integer, Long> lostByPath = new TreeMap<>();
    private final Meter whole = new Meter(LOSSY_DIRECTION, GOOD_DIRECTION, ENOUGH_OF_DIRECTION, PATIENCE_OF_DIRECTION);
    private final Tally tally = new Tally();
    private final Deque<Event> events = new ArrayDeque<>();
    private Optional<Long> lost = Optional.empty();

    /** The changes that a reading shows. */
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
                tallies.computeIfAbsent(path, none -> new Tally())
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

    /** What a reading says of losses; of nothing else, as it may have been made beside the last one. */
    void show(Reading now, Taps taps) {
        now.arrivals().ifPresent(arrivals -> {
            for (int path : taps.paths()) {
                long arrived = arrivals.of(path).arrived();
                if (now.counted()) {
                    Tally tally = tallies.computeIfAbsent(path, none -> new Tally());
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

    /** Of all paths together. */
    State state() {
        return state(whole.verdict(), false);
    }

    /** Packets that came over no path, at least; empty if the ingress did not tell how many there were. */
    Optional<Long> lost() {
        return lost;
    }

    /** Copies that were sent over a path and did not come, at least; of what other paths delivered, if nobody counts them. */
    Optional<Long> lost(int path) {
        return Optional.ofNullable(lostByPath.get(path));
    }

    /** The latest changes, oldest first. */
    List<Event> events() {
        return List.copyOf(events);
    }
}
