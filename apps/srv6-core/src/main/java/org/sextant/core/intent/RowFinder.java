// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.List;
import java.util.function.Function;
import org.sextant.core.table.Entry;
import org.sextant.core.table.Route;

/**
 * Finds the rows of a new plan. Spelling out a row's key is what costs when a node has thousands of routes, and a plan
 * mostly repeats the one before in the same order, so the rows of that one are tried first.
 */
final class RowFinder {
    private static final int LOOK_AHEAD = 4;

    private final List<Tracked.Cell> old;
    private final Function<String, NodeTable> nodes;
    private int next;

    RowFinder(List<Tracked.Cell> old, Function<String, NodeTable> nodes) {
        this.old = old;
        this.nodes = nodes;
    }

    Row row(Plan.Placed placed) {
        for (int i = next; i < Math.min(next + LOOK_AHEAD, old.size()); i++) {
            Tracked.Cell cell = old.get(i);
            if (isSameRow(cell.entry(), placed.entry()) && cell.row().node.name.equals(placed.node())) {
                next = i + 1;
                return cell.row();
            }
        }
        return nodes.apply(placed.node()).row(placed.entry().key());
    }

    /** Surely the same row; false may be wrong. */
    private static boolean isSameRow(Entry one, Entry other) {
        return one.equals(other)
                || one instanceof Route a
                        && other instanceof Route b
                        && a.vrf() == b.vrf()
                        && a.destination().equals(b.destination());
    }
}
