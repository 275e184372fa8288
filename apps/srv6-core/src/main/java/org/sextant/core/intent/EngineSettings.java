// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.time.Clock;
import java.time.Duration;
import org.sextant.core.loop.StoreTimeouts;

/**
 * The engine's settings; only the compiler versions affect the installed entries.
 *
 * @param auditInterval time between two audits; zero: only on demand
 * @param adoptionGrace how long unwanted rows stay after the return of their node, so that a restart does not remove
 *     entries of intents that do not compile yet because neighbors are still being discovered
 * @param retryDelay time until a node that failed an operation, and did not report itself lost, is tried again
 * @param silence how long a batch of writes may take until its node counts as silent and others go on without it; five
 *     times as long where an intent that is installed as a whole would be rolled back
 * @param batchSize most updates in one write
 * @param nodeThreads how many nodes are written at once, and how many are read; those that hang do not count
 * @param storePatience how long the engine waits for a call of the store before it goes on with its other work
 * @param storeDeadline how long a change of an intent waits for the store before it is refused
 * @param clock for the times in statuses and for the grace
 * @param compilers the versions of plans that this release can compile
 */
public record EngineSettings(
        Duration auditInterval,
        Duration adoptionGrace,
        Duration retryDelay,
        Duration silence,
        int batchSize,
        int nodeThreads,
        Duration storePatience,
        Duration storeDeadline,
        Clock clock,
        CompilerVersions compilers) {

    public static final EngineSettings DEFAULT = new EngineSettings(
            Duration.ofSeconds(30),
            Duration.ofSeconds(30),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            1000,
            16,
            Duration.ofMillis(50),
            Duration.ofSeconds(5),
            Clock.systemUTC(),
            CompilerVersions.CURRENT);

    public EngineSettings {
        if (batchSize < 1 || nodeThreads < 1) {
            throw new IllegalArgumentException("batch size and node threads are 1 or more");
        }
        if (auditInterval.isNegative()
                || adoptionGrace.isNegative()
                || retryDelay.isNegative()
                || silence.isNegative()
                || storePatience.isNegative()
                || storeDeadline.isNegative()) {
            throw new IllegalArgumentException("durations are not negative");
        }
    }

    public StoreTimeouts storeTimeouts() {
        return new StoreTimeouts(retryDelay, storePatience, storeDeadline);
    }

    public EngineSettings withAuditInterval(Duration interval) {
        return new EngineSettings(
                interval,
                adoptionGrace,
                retryDelay,
                silence,
                batchSize,
                nodeThreads,
                storePatience,
                storeDeadline,
                clock,
                compilers);
    }

    public EngineSettings withAdoptionGrace(Duration grace) {
        return new EngineSettings(
                auditInterval,
                grace,
                retryDelay,
                silence,
                batchSize,
                nodeThreads,
                storePatience,
                storeDeadline,
                clock,
                compilers);
    }

    public EngineSettings withRetryDelay(Duration delay) {
        return new EngineSettings(
                auditInterval,
                adoptionGrace,
                delay,
                silence,
                batchSize,
                nodeThreads,
                storePatience,
                storeDeadline,
                clock,
                compilers);
    }

    public EngineSettings withSilence(Duration other) {
        return new EngineSettings(
                auditInterval,
                adoptionGrace,
                retryDelay,
                other,
                batchSize,
                nodeThreads,
                storePatience,
                storeDeadline,
                clock,
                compilers);
    }

    public EngineSettings withNodeThreads(int threads) {
        return new EngineSettings(
                auditInterval,
                adoptionGrace,
                retryDelay,
                silence,
                batchSize,
                threads,
                storePatience,
                storeDeadline,
                clock,
                compilers);
    }

    public EngineSettings withStorePatience(Duration patience) {
        return new EngineSettings(
                auditInterval,
                adoptionGrace,
                retryDelay,
                silence,
                batchSize,
                nodeThreads,
                patience,
                storeDeadline,
                clock,
                compilers);
    }

    public EngineSettings withStoreDeadline(Duration deadline) {
        return new EngineSettings(
                auditInterval,
                adoptionGrace,
                retryDelay,
                silence,
                batchSize,
                nodeThreads,
                storePatience,
                deadline,
                clock,
                compilers);
    }

    public EngineSettings withClock(Clock other) {
        return new EngineSettings(
                auditInterval,
                adoptionGrace,
                retryDelay,
                silence,
                batchSize,
                nodeThreads,
                storePatience,
                storeDeadline,
                other,
                compilers);
    }

    public EngineSettings withCompilers(CompilerVersions versions) {
        return new EngineSettings(
                auditInterval,
                adoptionGrace,
                retryDelay,
                silence,
                batchSize,
                nodeThreads,
                storePatience,
                storeDeadline,
                clock,
                versions);
    }
}
