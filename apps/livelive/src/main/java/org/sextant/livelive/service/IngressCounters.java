// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.core.port.DataPlane.Stored;
import org.sextant.core.table.Copy;
import org.sextant.core.table.Flow;
import org.sextant.livelive.plan.Taps;

/**
 * The counters of the ingress of one direction.
 *
 * @param packets of the flow
 * @param copies sent over each path
 */
public record IngressCounters(long packets, SortedMap<Integer, Long> copies) {
    /** The tables with these counters. */
    static final Set<String> TABLES = Set.of(Flow.TABLE_V6, Flow.TABLE_V4, Copy.TABLE);

    public IngressCounters {
        copies = Collections.unmodifiableSortedMap(new TreeMap<>(copies));
    }

    /** The number of copies sent over this path; 0 without a table entry. */
    long copies(int path) {
        return copies.getOrDefault(path, 0L);
    }

    /** Empty if the flow is not among the entries, or the node does not count. */
    static Optional<IngressCounters> of(List<Stored> rows, Taps taps) {
        SortedMap<Integer, Long> copies = new TreeMap<>();
        Optional<Long> packets = Optional.empty();
        for (Stored row : rows) {
            if (row.counters().isEmpty()) {
                continue;
            }
            long count = row.counters().get().packets();
            if (row.entry() instanceof Copy copy && copy.group() == taps.group()) {
                copies.put(copy.path(), count);
            } else if (row.entry() instanceof Flow flow && flow.flowId() == taps.flowId()) {
                packets = Optional.of(packets.orElse(0L) + count);
            }
        }
        return packets.map(all -> new IngressCounters(all, copies));
    }
}
