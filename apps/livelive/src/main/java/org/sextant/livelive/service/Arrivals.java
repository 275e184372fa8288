// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.livelive.plan.Taps;

/** The counters of the egress of one direction, by path, with those of the flow's former paths. */
public record Arrivals(SortedMap<Integer, PathCounts> paths) {
    private static final int PATHS = 16;

    public Arrivals {
        paths = Collections.unmodifiableSortedMap(new TreeMap<>(paths));
    }

    /**
     * Empty if the controller's host does not read such counters, which differs from a count of zero.
     *
     * @throws org.sextant.core.port.NodeUnavailableException if the egress does not answer
     */
    static Optional<Arrivals> read(DataPlane dataPlane, Taps taps) {
        Set<Integer> cells = new TreeSet<>();
        Set<Integer> delays = new TreeSet<>();
        for (int path = 1; path < PATHS; path++) {
            cells.add(cell(taps, path));
        }
        for (int path : taps.paths()) {
            for (int i = 0; i < PathCounts.CLASSES; i++) {
                delays.add(cell(taps, path) * PathCounts.CLASSES + i);
            }
        }
        Map<Integer, Counters> first = dataPlane.cells(taps.egress(), "dedup_first", cells);
        if (first.isEmpty()) {
            return Optional.empty();
        }
        Map<Integer, Counters> duplicate = dataPlane.cells(taps.egress(), "dedup_duplicate", cells);
        Map<Integer, Counters> late = dataPlane.cells(taps.egress(), "dedup_late", cells);
        Map<Integer, Counters> delay = dataPlane.cells(taps.egress(), "dedup_delay", delays);
        SortedMap<Integer, PathCounts> paths = new TreeMap<>();
        for (int path = 1; path < PATHS; path++) {
            int cell = cell(taps, path);
            List<Long> classes = new ArrayList<>();
            for (int i = 0; i < PathCounts.CLASSES; i++) {
                classes.add(packets(delay, cell * PathCounts.CLASSES + i));
            }
            paths.put(
                    path, new PathCounts(packets(first, cell), packets(duplicate, cell), packets(late, cell), classes));
        }
        return Optional.of(new Arrivals(paths));
    }

    private static int cell(Taps taps, int path) {
        return taps.window() * PATHS + path;
    }

    private static long packets(Map<Integer, Counters> cells, int cell) {
        Counters counters = cells.get(cell);
        return counters == null ? 0 : counters.packets();
    }

    PathCounts of(int path) {
        return paths.getOrDefault(path, PathCounts.NONE);
    }

    /** The number of delivered packets, each counted once. */
    public long delivered() {
        return paths.values().stream().mapToLong(PathCounts::first).sum();
    }

    /** The share of the packets that arrived over this path first, 0 to 1. */
    public double winShare(int path) {
        return delivered() == 0 ? 0 : (double) of(path).first() / delivered();
    }
}
