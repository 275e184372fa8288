// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The events of one kind. A flapping subject has a few events and then one that counts the rest; when many different
 * things happen at once, those beyond a burst are counted in one event about all of them. The oldest go when there are
 * too many. Not thread-safe.
 */
final class LogShelf {
    /** A subject has so many events of its own in {@link #CALM}; further ones are counted. */
    static final int OWN = 4;

    /** Events that follow each other within this time are put together once there are {@link #OWN}. */
    static final Duration CALM = Duration.ofMinutes(1);

    /** So many different things at once have an event each. */
    static final int BURST = 100;

    /** And so many in a second later on. */
    private static final int PER_SECOND = 5;

    /** Under which all are put together that have no event of their own. */
    private static final String REST = "…";

    private record Topic(LogSubject subject, String name) {}

    private record Kept(Topic topic, LogEvent event) {}

    private final int capacity;
    private final NavigableMap<Long, Kept> events = new TreeMap<>();
    /** The events of each topic that are kept, oldest first. */
    private final Map<Topic, Deque<LogEvent>> own = new HashMap<>();

    private int room = BURST;
    private Instant filled = Instant.MIN;

    LogShelf(int capacity) {
        this.capacity = capacity;
    }

    Stream<LogEvent> newestFirst(long before) {
        return events.headMap(before, false).descendingMap().values().stream().map(Kept::event);
    }

    void add(long number, Instant time, LogEntry entry) {
        Topic topic = new Topic(entry.subject(), entry.topic());
        Optional<LogEvent> counting = flapping(topic, time, entry);
        if (counting.isPresent()) {
            together(topic, counting.get(), number, time, entry);
        } else if (takeRoom(time)) {
            keep(topic, event(number, time, entry));
        } else {
            LogSubject all = new LogSubject(entry.subject().kind(), "");
            String text = "more events at once than are listed, the last: " + entry.text();
            LogEntry rest = new LogEntry(entry.kind(), entry.severity(), all, REST, text);
            Topic those = new Topic(all, REST);
            latest(those)
                    .filter(known -> recent(known, time))
                    .ifPresentOrElse(
                            known -> together(those, known, number, time, rest),
                            () -> keep(those, event(number, time, rest)));
        }
    }

    private static LogEvent event(long number, Instant time, LogEntry entry) {
        return new LogEvent(number, time, time, 1, entry.kind(), entry.severity(), entry.subject(), entry.text());
    }

    private void together(Topic topic, LogEvent known, long number, Instant time, LogEntry entry) {
        remove(topic, known);
        keep(topic, known.and(number, time, entry.severity(), entry.text()));
    }

    private void keep(Topic topic, LogEvent event) {
        events.put(event.number(), new Kept(topic, event));
        own.computeIfAbsent(topic, any -> new ArrayDeque<>(1)).addLast(event);
        if (events.size() > capacity) {
            Kept oldest = events.firstEntry().getValue();
            remove(oldest.topic(), oldest.event());
        }
    }

    private void remove(Topic topic, LogEvent event) {
        events.remove(event.number());
        own.computeIfPresent(topic, (any, kept) -> {
            kept.remove(event);
            return kept.isEmpty() ? null : kept;
        });
    }

    private Optional<LogEvent> latest(Topic topic) {
        return Optional.ofNullable(own.get(topic)).map(Deque::peekLast);
    }

    /** The event that one more of the same topic goes to: there were many shortly before, or it says the same. */
    private Optional<LogEvent> flapping(Topic topic, Instant time, LogEntry entry) {
        return latest(topic).filter(known -> {
            boolean again = known.text().equals(entry.text());
            if (!recent(known, time)) {
                return again && entry.kind() == LogKind.AUDIT;
            }
            return again || known.count() > 1 || isFull(topic, time);
        });
    }

    private boolean isFull(Topic topic, Instant time) {
        Iterator<LogEvent> newest = own.getOrDefault(topic, new ArrayDeque<>(1)).descendingIterator();
        int recent = 0;
        while (newest.hasNext() && recent < OWN && recent(newest.next(), time)) {
            recent++;
        }
        return recent == OWN;
    }

    /** A clock that was set back makes nothing old. */
    private static boolean recent(LogEvent event, Instant time) {
        return Duration.between(event.last(), time).compareTo(CALM) < 0;
    }

    private boolean takeRoom(Instant time) {
        if (filled.equals(Instant.MIN) || time.isBefore(filled)) {
            filled = time;
        }
        long seconds = Duration.between(filled, time).toSeconds();
        filled = filled.plusSeconds(seconds);
        room = (int) Math.min(BURST, room + seconds * PER_SECOND);
        if (room == 0) {
            return false;
        }
        room--;
        return true;
    }
}
