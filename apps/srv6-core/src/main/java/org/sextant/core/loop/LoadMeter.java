// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;

/** Counts the work of a loop's thread; any thread may read it, and the loop's thread waits for none. */
final class LoadMeter {
    private final List<Long> bounds =
            EngineLoad.BOUNDS.stream().map(Duration::toNanos).toList();
    private final AtomicLongArray holds = new AtomicLongArray(bounds.size() + 1);
    private final LongAdder heldNanos = new LongAdder();
    private final AtomicInteger waiting = new AtomicInteger();

    void queued() {
        waiting.incrementAndGet();
    }

    /** A step is begun, or was refused. */
    void taken() {
        waiting.decrementAndGet();
    }

    void held(long nanos) {
        int bound = 0;
        while (bound < bounds.size() && nanos > bounds.get(bound)) {
            bound++;
        }
        holds.incrementAndGet(bound);
        heldNanos.add(nanos);
    }

    EngineLoad load() {
        return new EngineLoad(
                waiting.get(),
                LongStream.range(0, holds.length())
                        .mapToObj(bound -> holds.get((int) bound))
                        .toList(),
                Duration.ofNanos(heldNanos.sum()));
    }
}
