// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What is said again while it is so: at once when it is new, and then once a day, however long nobody heeds it. By a clock that nobody sets,
 * so that a day is a day.
 */
final class Reminders {
    private static final long NANOS = Duration.ofDays(1).toNanos();

    private final Map<String, Long> told = new HashMap<>();

    /** @return what is to be said now, of what is so now */
    SortedSet<String> due(Set<String> now, long nanos) {
        told.keySet().retainAll(now);
        SortedSet<String> due = new TreeSet<>();
        for (String sentence : now) {
            Long before = told.get(sentence);
            if (before == null || nanos - before >= NANOS) {
                told.put(sentence, nanos);
                due.add(sentence);
            }
        }
        return due;
    }
}
