// SPDX-License-Identifier: Apache-2.0
package org.sextant.edge.app;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.sextant.contract.CounterArrays;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.port.DataPlane.Stored;
import org.sextant.core.table.EdgePeer;
import org.sextant.core.table.Entry;

/** Reads the drop counters of edges and the counters of peers. */
final class Meter {
    /** Adjacent cells of a port: first those of reasons 0 to 3, behind those of all ports the next four (edge.p4). */
    private static final int REASONS_AT_ONCE = 4;

    private static final int PORTS = CounterArrays.EDGE_DROPPED.size() / (2 * REASONS_AT_ONCE);

    static final Counters NONE = new Counters(0, 0);

    private final DataPlane dataPlane;
    private final Executor callers;
    private final Duration patience;

    Meter(DataPlane dataPlane, Executor callers, Duration patience) {
        this.dataPlane = dataPlane;
        this.callers = callers;
        this.patience = patience;
    }

    /**
     * The counters of one node.
     *
     * @param dropped by {@link #cell}
     * @param letIn by the table entries of peers
     */
    record Counted(Map<Integer, Counters> dropped, Map<Entry.Key, Counters> letIn) {
        /** Is true if the node's pipeline has these counters and its host reads them. */
        boolean counts() {
            return !dropped.isEmpty();
        }
    }

    /** The cell of a reason at a port. */
    static int cell(int port, int reason) {
        return REASONS_AT_ONCE * (PORTS * (reason / REASONS_AT_ONCE) + port) + reason % REASONS_AT_ONCE;
    }

    /** Reads all nodes in parallel; a node that does not answer in time is missing in the result. */
    Map<String, Counted> read(Map<String, ? extends Collection<Integer>> portsOf) {
        Map<String, CompletableFuture<Counted>> asked = new HashMap<>();
        portsOf.forEach((node, ports) -> {
            try {
                asked.put(
                        node,
                        CompletableFuture.supplyAsync(() -> counted(node, ports), callers)
                                .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS));
            } catch (RejectedExecutionException closing) {
                return; // as if it did not answer
            }
        });
        Map<String, Counted> read = new HashMap<>();
        asked.forEach((node, answer) -> {
            try {
                read.put(node, answer.join());
            } catch (CompletionException away) {
                return; // it is missing
            }
        });
        return read;
    }

    private Counted counted(String node, Collection<Integer> ports) {
        Set<Integer> cells = ports.stream()
                .flatMap(port -> IntStream.range(0, EdgeView.REASONS.size()).mapToObj(reason -> cell(port, reason)))
                .collect(Collectors.toSet());
        Map<Entry.Key, Counters> letIn = new HashMap<>();
        for (Stored row : dataPlane.read(node, Set.of(EdgePeer.TABLE))) {
            row.counters().ifPresent(counters -> letIn.put(row.entry().key(), counters));
        }
        return new Counted(dataPlane.cells(node, CounterArrays.EDGE_DROPPED.name(), cells), letIn);
    }
}
