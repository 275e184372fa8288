// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.IntentRef;
import org.sextant.livelive.plan.Taps;

/**
 * Tells from successive readings which paths of one direction deliver. A path over which nothing came while the others
 * delivered is silent: the flow does not feel it, but it is one failure away from feeling the next. Not for several
 * threads.
 */
final class Health {
    /** So many packets tell a silent path from a pause of the flow. */
    static final int ENOUGH_PACKETS = 20;

    /** So long it may stay behind: copies that are on their way still are late, not gone. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    /** The state of one path. */
    enum State {
        /** No packet of the flow came since the controller looks. */
        UNKNOWN,
        DELIVERING,
        /** Nothing came over it although the flow has packets: a latent failure. */
        SILENT
    }

    /** A change of a path's state. */
    record Event(Instant at, int path, State state, String message) {

        /** For the engine's listeners. */
        EngineEvent.IntentReported report(IntentRef flow) {
            return new EngineEvent.IntentReported(flow, "path " + path, state == State.SILENT, message);
        }
    }

    private static final int MOST_EVENTS = 32;

    private final Map<Integer, State> states = new TreeMap<>();
    private final Map<Integer, Long> quiet = new TreeMap<>();
    private final Map<Integer, Instant> behindSince = new TreeMap<>();
    private final Deque<Event> events = new ArrayDeque<>();
    private Arrivals last;

    /** The changes that a reading shows. */
    List<Event> take(Arrivals now, Taps taps, Instant at) {
        List<Event> changes = new ArrayList<>();
        states.keySet().retainAll(taps.paths());
        quiet.keySet().retainAll(taps.paths());
        behindSince.keySet().retainAll(taps.paths());
        if (last != null) {
            Arrivals fresh = now.since(last);
            for (int path : taps.paths()) {
                judge(path, fresh, at, taps, changes);
            }
        }
        last = now;
        for (Event change : changes) {
            events.addLast(change);
            if (events.size() > MOST_EVENTS) {
                events.removeFirst();
            }
        }
        return changes;
    }

    private void judge(int path, Arrivals fresh, Instant at, Taps taps, List<Event> changes) {
        if (fresh.of(path).arrived() > 0) {
            quiet.remove(path);
            behindSince.remove(path);
            State before = states.put(path, State.DELIVERING);
            if (before == State.SILENT) {
                changes.add(new Event(at, path, State.DELIVERING, "path " + path + " from " + taps.ingress() + " to "
                        + taps.egress() + " delivers again"));
            }
            return;
        }
        long without = quiet.merge(path, fresh.delivered(), Long::sum);
        if (without > 0) {
            behindSince.putIfAbsent(path, at);
        }
        boolean gone = without >= ENOUGH_PACKETS && !at.isBefore(behindSince.get(path).plus(PATIENCE));
        if (gone && states.get(path) != State.SILENT) {
            states.put(path, State.SILENT);
            changes.add(new Event(at, path, State.SILENT, "path " + path + " from " + taps.ingress() + " to "
                    + taps.egress() + " delivered none of the last " + without + " packets; the others did"));
        }
    }

    State state(int path) {
        return states.getOrDefault(path, State.UNKNOWN);
    }

    /** The latest changes, oldest first. */
    List<Event> events() {
        return List.copyOf(events);
    }
}
