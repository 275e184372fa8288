// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Warnings that are repeated while they hold: at once when they are new, and then once a day, however long they are not
 * heeded. By a monotonic clock, so that a day is a day.
 */
final class Reminders {
    private static final long NANOS = Duration.ofDays(1).toNanos();

    private final Map<String, Long> told = new HashMap<>();

    /** @return the warnings that are due now, of those that hold now */
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
