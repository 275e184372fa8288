// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.meter;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.port.DataPlane.Stored;
import org.sextant.core.table.Entry;

/** Reads several nodes in parallel with a short timeout; the result of a node that does not answer in time is empty. */
public final class Nodes {
    private final DataPlane dataPlane;
    private final Executor callers;
    private final Duration patience;

    public Nodes(DataPlane dataPlane, Executor callers, Duration patience) {
        this.dataPlane = dataPlane;
        this.callers = callers;
        this.patience = patience;
    }

    /** The answer of each node. */
    public <T> SortedMap<String, Optional<T>> ask(Collection<String> nodes, Function<String, Optional<T>> question) {
        Map<String, CompletableFuture<Optional<T>>> answers = new HashMap<>();
        nodes.forEach(node -> answers.put(node, asked(node, question)));
        long end = System.nanoTime() + patience.toNanos();
        SortedMap<String, Optional<T>> known = new TreeMap<>();
        answers.forEach((node, answer) -> known.put(node, await(answer, end)));
        return known;
    }

    private <T> CompletableFuture<Optional<T>> asked(String node, Function<String, Optional<T>> question) {
        try {
            return CompletableFuture.supplyAsync(() -> question.apply(node), callers);
        } catch (RejectedExecutionException closing) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
    }

    /** An unreachable node throws an exception. */
    private static <T> Optional<T> await(CompletableFuture<Optional<T>> answer, long end) {
        try {
            return answer.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException | TimeoutException e) {
            return Optional.empty();
        }
    }

    /** The sum of the counters of a node's entries; empty if one of them is missing or has no counter. */
    public Optional<Counters> counted(String node, List<Entry> rows) {
        List<Counters> counted = dataPlane.rows(node, rows).stream()
                .map(Stored::counters)
                .flatMap(Optional::stream)
                .toList();
        return counted.size() < rows.size()
                ? Optional.empty()
                : Optional.of(new Counters(
                        counted.stream().mapToLong(Counters::packets).sum(),
                        counted.stream().mapToLong(Counters::bytes).sum()));
    }

    /** Cells of a counter array of a node. */
    public Map<Integer, Counters> cells(String node, String array, Collection<Integer> indexes) {
        return dataPlane.cells(node, array, java.util.Set.copyOf(indexes));
    }
}
