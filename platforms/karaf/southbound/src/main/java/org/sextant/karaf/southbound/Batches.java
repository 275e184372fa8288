// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.port.DataPlane.Update;
import org.sextant.core.table.Entry;

/**
 * Cuts a sequence of updates into write requests. A node may carry out one request in any order (P4Runtime 1.4, 12.2),
 * so a request never holds two updates whose order matters: of different stages, of different directions (making or
 * removing), or of the same row. It is bounded, because the per-entry errors must fit the trailers, and not small, because
 * a node makes every request durable by itself.
 */
final class Batches {
    static final int LIMIT = 1000;

    private Batches() {}

    static List<List<Update>> of(List<Update> updates) {
        List<List<Update>> batches = new ArrayList<>();
        List<Update> batch = new ArrayList<>();
        Set<Entry.Key> rows = new HashSet<>();
        for (Update update : updates) {
            if (!batch.isEmpty()
                    && !(batch.size() < LIMIT
                            && sameStep(batch.get(0), update)
                            && rows.add(update.entry().key()))) {
                batches.add(List.copyOf(batch));
                batch.clear();
                rows.clear();
            }
            batch.add(update);
            rows.add(update.entry().key());
        }
        if (!batch.isEmpty()) {
            batches.add(List.copyOf(batch));
        }
        return batches;
    }

    private static boolean sameStep(Update one, Update other) {
        return one.entry().stage() == other.entry().stage()
                && (one.operation() == Operation.DELETE) == (other.operation() == Operation.DELETE);
    }
}
