// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * One entry of the contract's tables as a value. Two entries of a node with the same {@link #key()} are the same row;
 * an update may change the rest. An entry answers all questions about itself; its type is listed once, in
 * {@link EntryTypes}.
 */
public interface Entry {

    /** Names the row within one node. */
    Key key();

    /**
     * The row of its table; {@link TableCodec} checks it against the contract.
     *
     * @throws MalformedEntryException if the contract has no row like it
     */
    TableEntry row();

    /** The action in one line for operators: {@code un 32 16}, {@code h_encaps_red sid_list 16}. */
    String actionText();

    /** True if a node with the other entry forwards as with this one. */
    default boolean means(Entry other) {
        return equals(other);
    }

    /** Rows of an earlier stage must exist before rows of a later one; removal is in reverse order. */
    Stage stage();

    /** The effect of a change of this row on packets, and thereby its place among changes of other rows. */
    enum Change {
        /** Some packets take another path: written after the entries that receive them. */
        ALTERS,
        /** More packets pass: written before other entries send them, like an addition. */
        WIDENS,
        /** Fewer packets pass: written after other entries stop sending them, like a removal. */
        NARROWS
    }

    /** The effect of replacing the entry {@code before}, which has the same key. */
    default Change from(Entry before) {
        return Change.ALTERS;
    }

    /**
     * The boot count of the node, if the row carries it. Its value is then {@code CompileContext.life} of the node, and
     * a node without this row has restarted since it was written.
     */
    default OptionalInt life() {
        return OptionalInt.empty();
    }

    /** Ids of the adjacencies of the same node that this row itself forwards packets to. */
    default Set<Integer> leavesBy() {
        return Set.of();
    }

    /** The id by which others leave, if this is an adjacency. */
    default Optional<Integer> adjacency() {
        return Optional.empty();
    }

    /** The segment list that this row sends packets into, which has to be there as long as the row is. */
    default OptionalInt sendsInto() {
        return OptionalInt.empty();
    }

    /** The id by which others send into this, if it is a segment list. */
    default OptionalInt listId() {
        return OptionalInt.empty();
    }

    /** True if packets that leave by this adjacency reach the neighbor of the other one. */
    default boolean leadsAs(Entry other) {
        return false;
    }

    /**
     * The precedence among the rows of a table that match a packet: the highest wins. The same for all rows if the
     * match alone decides.
     */
    default int precedence() {
        return 0;
    }

    /**
     * A row's identity.
     *
     * @param table as P4Info spells it
     * @param matched the match fields, as a value whose text is canonical
     */
    record Key(String table, Object matched) implements Comparable<Key> {

        /**
         * The key whose table and match have these texts.
         *
         * @throws IllegalArgumentException if a row of that table matches no such thing
         */
        public static Key parse(String table, String match) {
            return new Key(
                    table,
                    EntryTypes.of(table).map(type -> type.match().apply(match)).orElse(match));
        }

        /** True if entries of the table are adjacencies, whose ids other entries use. */
        public boolean namesAdjacency() {
            return table.equals(NextHop.TABLE);
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

    /** The order of a make-before-break change: receiving entries before sending ones. */
    enum Stage {
        ADJACENCY,
        LISTS,
        BEHAVIORS,
        INGRESS
    }
}
