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

/** What nodes dropped at their edge, and let in. */
final class Meter {
    /** Cells of a port that stand together: of the first reasons, and behind those of all ports of the next ones (edge.p4). */
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
     * What one node counted.
     *
     * @param dropped by {@link #cell}
     * @param letIn by the rows of peers
     */
    record Counted(Map<Integer, Counters> dropped, Map<Entry.Key, Counters> letIn) {
        /** Whether the node's pipeline has these counters, and its host reads them. */
        boolean counts() {
            return !dropped.isEmpty();
        }
    }

    /** The cell of a reason at a port. */
    static int cell(int port, int reason) {
        return REASONS_AT_ONCE * (PORTS * (reason / REASONS_AT_ONCE) + port) + reason % REASONS_AT_ONCE;
    }

    /** All nodes at once; one that does not answer in time is not there. */
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
                return; // it is not there
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
