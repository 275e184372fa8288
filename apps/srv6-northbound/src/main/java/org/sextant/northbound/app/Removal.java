// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.sextant.core.intent.IntentStatus;
import org.sextant.kit.InstallWait;
import org.sextant.kit.app.SrApp;

/**
 * The results of a removal of intents, after waiting for the nodes for a while.
 *
 * @param removed their ids, in the order given
 * @param leaving those of which nodes may still have entries
 */
public record Removal(List<String> removed, List<String> leaving) {
    /** One durable step of the engine, between which others have their turn. */
    private static final int PART = 1000;

    public Removal {
        removed = List.copyOf(removed);
        leaving = List.copyOf(leaving);
    }

    /** @throws org.sextant.core.ProblemException if one of them is not there; then nothing was removed */
    public static Removal of(SrApp<?> app, List<String> named) {
        named.forEach(app::stored);
        return remove(app, named.stream().distinct().toList());
    }

    /** All that match: those that were deleted before are among them as long as nodes may have entries of them. */
    public static <I> Removal matching(SrApp<I> app, Query<I> query) {
        return remove(app, query.all(app).stream().map(IntentStatus::id).toList());
    }

    private static Removal remove(SrApp<?> app, List<String> ids) {
        // An intent deleted before may be gone the next moment, which is no reason to refuse the others.
        List<String> there = ids.stream().filter(app::present).toList();
        CompletableFuture<?>[] parts = IntStream.iterate(0, from -> from < there.size(), from -> from + PART)
                .mapToObj(from -> app.intents().remove(there.subList(from, Math.min(from + PART, there.size()))))
                .toArray(CompletableFuture<?>[]::new);
        InstallWait.await(CompletableFuture.allOf(parts), Receipt.PATIENCE);
        return new Removal(
                ids, ids.stream().filter(id -> app.leaving(id).isPresent()).toList());
    }

    public ObjectNode view() {
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        ArrayNode all = view.putArray("removed");
        removed.forEach(all::add);
        ArrayNode some = view.putArray("leaving");
        leaving.forEach(some::add);
        return view;
    }
}
