// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * One entry of the contract's tables as a value. Two entries of a node with the same {@link #key()} are the same row;
 * the rest is what an update may change. Whatever is asked of an entry, it answers itself; its type is listed once, in
 * {@link EntryTypes}.
 */
public interface Entry {

    /** Names the row within one node. */
    Key key();

    /**
     * As a row of its table; {@link TableCodec} holds it against the contract.
     *
     * @throws MalformedEntryException if the contract has no row like it
     */
    TableEntry row();

    /** What it does, in one line for people: {@code un 32 16}, {@code h_encaps_red sid_list 16}. */
    String actionText();

    /** Whether a node that holds the other one does what this one says. */
    default boolean means(Entry other) {
        return equals(other);
    }

    /** Rows of an earlier stage must exist before rows of a later one; removal goes the other way round. */
    Stage stage();

    /** What a change of this row's content does to packets, and so where it has its place among changes of others. */
    enum Change {
        /** Some go another way: after what receives them is there. */
        ALTERS,
        /** More pass: before anything sends them, as what is added. */
        WIDENS,
        /** Fewer pass: after nothing sends them any more, as what is removed. */
        NARROWS
    }

    /** What it is to have this where the other one with the same key was. */
    default Change from(Entry before) {
        return Change.ALTERS;
    }

    /**
     * What the row says of how often its node has forgotten everything, if it is about that. Its content is then
     * {@code CompileContext.life} of the node, and who reads a node without it knows that it has forgotten once more.
     */
    default OptionalInt life() {
        return OptionalInt.empty();
    }

    /** Ids of the adjacencies of the same node by which packets leave that this row leads there itself. */
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

    /** Whether who leaves by this adjacency gets to where the other one leads. */
    default boolean leadsAs(Entry other) {
        return false;
    }

    /**
     * Which of the rows of its table that match a packet is the one for it: that with the most. The same for all where what
     * they match decides.
     */
    default int precedence() {
        return 0;
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
            return new Key(
                    table,
                    EntryTypes.of(table).map(type -> type.match().apply(match)).orElse(match));
        }

        /** Whether entries of the table are adjacencies, by whose ids others leave. */
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

    /** The order of a make-before-break change: what receives before what sends. */
    enum Stage {
        ADJACENCY,
        LISTS,
        BEHAVIORS,
        INGRESS
    }
}
