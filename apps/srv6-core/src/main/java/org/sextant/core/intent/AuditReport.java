// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.core.table.Entry;

/**
 * What reading the nodes brought to light.
 *
 * @param drift rows that were not as wanted, and are repaired next; only nodes that have some
 * @param unread nodes that could not be read, and why
 */
public record AuditReport(SortedMap<String, List<Drift>> drift, SortedMap<String, String> unread) {

    public AuditReport {
        drift = Collections.unmodifiableSortedMap(new TreeMap<>((Map<String, List<Drift>>) drift));
        unread = Collections.unmodifiableSortedMap(new TreeMap<>((Map<String, String>) unread));
    }

    public int repairs() {
        return drift.values().stream().mapToInt(List::size).sum();
    }

    /** A row that changed behind the controller's back. */
    public record Drift(Kind kind, Entry.Key key) {}

    /** In which way a row differs from what is wanted. */
    public enum Kind {
        MISSING,
        DIFFERENT,
        EXTRA
    }
}
