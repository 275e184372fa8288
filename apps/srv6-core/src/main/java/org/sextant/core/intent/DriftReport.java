// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.core.table.Entry;

/**
 * The result of an audit of the nodes.
 *
 * @param drift rows that differed from the desired ones, and are repaired next; only nodes with drift
 * @param unread nodes that could not be read, and why
 */
public record DriftReport(SortedMap<String, List<Drift>> drift, SortedMap<String, String> unread) {

    public DriftReport {
        drift = Collections.unmodifiableSortedMap(new TreeMap<>((Map<String, List<Drift>>) drift));
        unread = Collections.unmodifiableSortedMap(new TreeMap<>((Map<String, String>) unread));
    }

    public int repairs() {
        return drift.values().stream().mapToInt(List::size).sum();
    }

    /** A row that changed behind the controller's back. */
    public record Drift(Kind kind, Entry.Key key) {}

    /** The difference between an observed and a desired row. */
    public enum Kind {
        MISSING,
        DIFFERENT,
        EXTRA
    }
}
