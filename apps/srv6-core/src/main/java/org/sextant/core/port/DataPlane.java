// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.port;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.sextant.core.table.Entry;

/** Port: the nodes' tables. All calls may block; calls for different nodes may run at the same time. */
public interface DataPlane {

    /** The capabilities of the node's pipeline; empty while the node is not ready. */
    Optional<Capabilities> capabilities(String node);

    /** Nodes whose tables can be written now. */
    Set<String> ready();

    /**
     * Carries out the updates in order and returns one result each, in the same order. A failed update leaves its row
     * unchanged and does not stop the ones behind it.
     *
     * @throws NodeUnavailableException if it is unknown which updates took effect, or none could be sent
     */
    List<Result> write(String node, List<Update> updates);

    /**
     * Everything the node really holds.
     *
     * @throws NodeUnavailableException if the node does not answer
     */
    List<Stored> read(String node);

    /**
     * The entries that the node holds in some tables, such as {@code copy}. Cheaper than all of them where the node can
     * report them.
     *
     * @throws NodeUnavailableException if the node does not answer
     */
    default List<Stored> read(String node, Set<String> tables) {
        return read(node).stream()
                .filter(row -> tables.contains(row.entry().key().table()))
                .toList();
    }

    /**
     * The rows of the node with the keys of these entries, with their counters. Cheaper than their tables where the
     * node can report them.
     *
     * @throws NodeUnavailableException if the node does not answer
     */
    default List<Stored> rows(String node, Collection<Entry> entries) {
        Set<Entry.Key> keys = entries.stream().map(Entry::key).collect(Collectors.toSet());
        Set<String> tables = keys.stream().map(Entry.Key::table).collect(Collectors.toSet());
        return read(node, tables).stream()
                .filter(row -> keys.contains(row.entry().key()))
                .toList();
    }

    /**
     * Cells of a counter array of the contract, such as {@code dedup_first}, by index. Cells that the node's pipeline
     * lacks are left out.
     *
     * @throws NodeUnavailableException if the node does not answer
     */
    default Map<Integer, Counters> cells(String node, String array, Set<Integer> indexes) {
        return Map.of();
    }

    /** A condition of a working node that needs its operator's attention, such as a certificate that expires. */
    default Optional<String> notice(String node) {
        return Optional.empty();
    }

    /** Reports nodes that become ready or are lost. */
    Subscription onState(Consumer<NodeState> listener);

    /** One change of one row. */
    record Update(Operation operation, Entry entry) {}

    /** INSERT fails on an existing row, MODIFY and DELETE on a missing one; DELETE uses the key only. */
    enum Operation {
        INSERT,
        MODIFY,
        DELETE
    }

    /** The result of an update: empty if it took effect. */
    record Result(Optional<Failure> failure) {
        public static final Result OK = new Result(Optional.empty());

        public static Result failed(Code code, String reason) {
            return new Result(Optional.of(new Failure(code, reason)));
        }

        public boolean ok() {
            return failure.isEmpty();
        }
    }

    /** The reason why a row differs from the desired one: a canonical code and a sentence of the node's own. */
    record Failure(Code code, String reason) {}

    /** P4Runtime's canonical codes, as far as rows meet them. */
    enum Code {
        INVALID_ARGUMENT,
        NOT_FOUND,
        ALREADY_EXISTS,
        PERMISSION_DENIED,
        FAILED_PRECONDITION,
        RESOURCE_EXHAUSTED,
        UNIMPLEMENTED,
        UNAVAILABLE,
        INTERNAL
    }

    /**
     * A row read back, with its counters where the node keeps them.
     *
     * @param idle since it was hit last; empty if it never was, or the node does not record it
     */
    record Stored(Entry entry, Optional<Counters> counters, Optional<Duration> idle) {

        /** A row of a node that does not record the time of the last hit. */
        public Stored(Entry entry, Optional<Counters> counters) {
            this(entry, counters, Optional.empty());
        }
    }

    /** Packets and bytes since the row was written. */
    record Counters(long packets, long bytes) {}

    /** A node became ready (its tables may hold anything) or was lost, and why. */
    record NodeState(String node, boolean ready, String reason) {}
}
