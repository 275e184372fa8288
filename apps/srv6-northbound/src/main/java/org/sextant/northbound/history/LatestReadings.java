// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.history;

import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.core.history.History;
import org.sextant.core.history.Reading;

/** The last reading of each thing, for three rounds: one that is not measured any more goes. Thread-safe. */
final class LatestReadings {
    private static final long KEPT_NANOS = 3L * History.STEP_SECONDS * 1_000_000_000L;

    private final SortedMap<String, Kept> things = new TreeMap<>();

    private record Kept(Reading reading, long taken) {}

    /** @param now by the controller's clock that never jumps */
    synchronized void take(long now, Collection<Reading> readings) {
        readings.forEach(reading -> things.put(reading.of(), new Kept(reading, now)));
        things.values().removeIf(kept -> now - kept.taken() >= KEPT_NANOS);
    }

    /** By the names of their things. */
    synchronized List<Reading> all() {
        return things.values().stream().map(Kept::reading).toList();
    }
}
