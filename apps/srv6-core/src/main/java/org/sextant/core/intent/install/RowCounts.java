// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import java.util.HashSet;
import java.util.Set;

/**
 * Counts the rows of one node. A count checks the rows that changed since the last one, and all rows only if all may
 * have changed: a node that is counted after each of a thousand changes is not read a thousand times.
 */
final class RowCounts {
    /** Bits of {@link Row#counted}. */
    private static final byte HELD = 1, WAITING = 2;

    private final NodeTable node;
    private final Set<Row> changed = new HashSet<>();

    /** Any row may have changed. */
    private boolean all = true;

    /** {@link NodeTable#known} at the last count: rows of an unknown node wait for other reasons. */
    private boolean known;

    private int held;
    private int waiting;

    RowCounts(NodeTable node) {
        this.node = node;
    }

    void changed(Row row) {
        if (!all) {
            changed.add(row);
        }
    }

    /** The node has the row no more. */
    void removed(Row row) {
        if (!all) {
            changed.remove(row);
            subtract(row);
        }
    }

    void allChanged() {
        all = true;
        changed.clear();
    }

    /** Brings the numbers up to date. */
    void count() {
        if (!all && changed.isEmpty() && known == node.known) {
            return;
        }
        if (all || known != node.known) {
            held = 0;
            waiting = 0;
            node.rows.values().forEach(row -> {
                row.counted = 0;
                add(row);
            });
        } else {
            changed.forEach(this::again);
        }
        changed.clear();
        all = false;
        known = node.known;
    }

    private void again(Row row) {
        subtract(row);
        add(row);
    }

    private void subtract(Row row) {
        held -= (row.counted & HELD) != 0 ? 1 : 0;
        waiting -= (row.counted & WAITING) != 0 ? 1 : 0;
        row.counted = 0;
    }

    private void add(Row row) {
        boolean waits = node.known ? row.needed(false).isPresent() : row.wanted() != null;
        held += row.held != null ? 1 : 0;
        waiting += waits ? 1 : 0;
        row.counted = (byte) ((row.held != null ? HELD : 0) | (waits ? WAITING : 0));
    }

    int held() {
        return held;
    }

    int waiting() {
        return waiting;
    }
}
