// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.store;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.sextant.core.port.StoreTelemetry;
import org.sextant.core.port.StoreUnavailableException;

/** Counts commits and their time; thread-safe. */
final class CommitMeter {
    private final LongAdder commits = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    <T> T measured(Supplier<T> commit) {
        long from = System.nanoTime();
        try {
            T result = commit.get();
            nanos.add(System.nanoTime() - from);
            commits.increment();
            return result;
        } catch (StoreUnavailableException e) {
            refused.increment();
            throw e;
        }
    }

    /** @param bytes of the store's files */
    StoreTelemetry.Load load(long bytes) {
        return new StoreTelemetry.Load(bytes, commits.sum(), refused.sum(), Duration.ofNanos(nanos.sum()));
    }
}
