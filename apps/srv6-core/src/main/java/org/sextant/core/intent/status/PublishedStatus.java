// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.status;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.install.EntryReports;
import org.sextant.core.intent.install.NodeTable;
import org.sextant.core.intent.install.TrackedIntent;

/** An intent's status as readers last saw it, and the requests that wait for the reports of other controllers about it. */
final class PublishedStatus {
    /** Null before the first time. */
    @Nullable
    IntentStatus<Object> status;

    /** The controller of a node has not reported the intent's status there yet. */
    boolean unreported;

    private List<CompletableFuture<Void>> waiting = List.of();
    private Map<String, String> digests = Map.of();
    private @Nullable List<TrackedIntent.Cell> digested;

    /** Completes when every node's controller has reported. */
    CompletableFuture<Void> reported() {
        CompletableFuture<Void> reported = new CompletableFuture<>();
        if (unreported) {
            List<CompletableFuture<Void>> longer = new ArrayList<>(waiting);
            longer.add(reported);
            waiting = List.copyOf(longer);
        } else {
            reported.complete(null);
        }
        return reported;
    }

    void endWaiting() {
        List<CompletableFuture<Void>> ending = waiting;
        waiting = List.of();
        ending.forEach(reported -> reported.complete(null));
    }

    /** The digest of the entries that the intent is to have at a node. */
    String digest(TrackedIntent intent, NodeTable node) {
        if (digested != intent.admitted()) {
            digested = intent.admitted();
            digests = new HashMap<>();
        }
        return digests.computeIfAbsent(
                node.name(),
                name -> EntryReports.digest(intent.admitted().stream()
                        .filter(cell -> cell.row().node() == node)
                        .toList()));
    }
}
