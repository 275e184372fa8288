// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.Set;

/**
 * One entry of the contract's tables as a value. Two entries of a node with the same {@link #key()} are the same row;
 * the rest is what an update may change.
 */
public sealed interface Entry permits MySid, Steering, SidList, EncapSource, Route, NextHop, Punt, Flow, Copy, DedupFlow {

    /** Names the row within one node. */
    Key key();

    /** Rows of an earlier stage must exist before rows of a later one; removal goes the other way round. */
    Stage stage();

    /** Ids of the {@link NextHop}s of the same node by which packets leave that this row leads there itself. */
    default Set<Integer> leavesBy() {
        return Set.of();
    }

    /**
     * A row's identity.
     *
     * @param table as P4Info spells it
     * @param matched what the row matches, as a value whose text is canonical
     */
    record Key(String table, Object matched) implements Comparable<Key> {

        /**
         * The key whose table and match have these texts.
         *
         * @throws IllegalArgumentException if a row of that table matches no such thing
         */
        public static Key parse(String table, String match) {
            return new Key(table, Matched.parse(table, match));
        }

        /** The canonical text of the match. */
        public String match() {
            return matched.toString();
        }

        @Override
        public int compareTo(Key other) {
            int order = table.compareTo(other.table);
            return order != 0 ? order : Matched.compare(matched, other.matched);
        }

        @Override
        public String toString() {
            String match = match();
            return match.isEmpty() ? table : table + " " + match;
        }
    }

    /** The order of a make-before-break change: what receives before what sends. */
    enum Stage {
        ADJACENCY,
        LISTS,
        BEHAVIORS,
        INGRESS
    }
}
