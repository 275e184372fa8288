// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The events since this controller started, newest first, in a room that does not grow: each kind of event has a
 * {@link LogShelf shelf} of its own, so that ten thousand policies that change push no link's failure out. Thread-safe;
 * it has no clock: callers give the time of an event.
 */
final class EventLog {
    /** Events of one kind that are kept: some hundred bytes each. */
    static final int CAPACITY = 2_000;

    /** Kinds of intents have shelves of their own; a controller has about ten. Further kinds share one. */
    private static final int MAX_SHELVES = 32;

    private final Map<String, LogShelf> shelves = new TreeMap<>();
    private long last;

    synchronized void add(Instant time, LogEntry entry) {
        last++;
        shelf(entry).add(last, time, entry);
    }

    private LogShelf shelf(LogEntry entry) {
        String name = entry.kind() == LogKind.INTENT
                ? entry.subject().kind()
                : entry.kind().name();
        String known = shelves.size() < MAX_SHELVES || shelves.containsKey(name) ? name : "";
        return shelves.computeIfAbsent(known, any -> new LogShelf(CAPACITY));
    }

    /** The number of the newest event; 0 if there is none. */
    synchronized long last() {
        return last;
    }

    /** The newest first, as many as the query asks for. */
    synchronized List<LogEvent> find(LogQuery query) {
        return shelves.values().stream()
                .flatMap(shelf ->
                        shelf.newestFirst(query.before()).filter(query::accepts).limit(query.limit()))
                .sorted(Comparator.comparingLong(LogEvent::number).reversed())
                .limit(query.limit())
                .toList();
    }
}
