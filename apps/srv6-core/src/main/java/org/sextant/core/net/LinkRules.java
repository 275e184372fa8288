// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import java.time.Duration;

/**
 * The rules for the state of links, in the whole network.
 *
 * @param measuredDelay true if the delay that nodes measure replaces the configured one
 * @param waitToRestore for how long a link that was down has to be up before it is used again ({@link LinkRestoration}); zero: it
 *     is used at once
 * @param drainAfter for how long a node has to be without a session before paths leave it ({@link SessionWatch}); zero: they never do
 */
public record LinkRules(boolean measuredDelay, Duration waitToRestore, Duration drainAfter) {
    /** The wait-to-restore of a network whose description has none. */
    public static final int DEFAULT_WAIT_MILLIS = 10_000;

    /** Described delays count, and links wait for {@link #DEFAULT_WAIT_MILLIS}. */
    public static final LinkRules DEFAULT = new LinkRules(false, Duration.ofMillis(DEFAULT_WAIT_MILLIS));

    /** Described delays count, and links are used as soon as they are up. */
    public static final LinkRules NO_WAIT = new LinkRules(false, Duration.ZERO);

    /** An hour. */
    public static final int MOST_WAIT_MILLIS = 3_600_000;

    /** The time to drain of a network whose description has none. */
    public static final int DEFAULT_DRAIN_MILLIS = 600_000;

    /** A day. */
    public static final int MOST_DRAIN_MILLIS = 86_400_000;

    public LinkRules {
        if (drainAfter.isNegative() || drainAfter.toMillis() > MOST_DRAIN_MILLIS) {
            throw new IllegalArgumentException("a time to drain is from 0 to " + MOST_DRAIN_MILLIS + " ms");
        }
        if (waitToRestore.isNegative() || waitToRestore.toMillis() > MOST_WAIT_MILLIS) {
            throw new IllegalArgumentException("a wait-to-restore is from 0 to " + MOST_WAIT_MILLIS + " ms");
        }
    }

    /** Nodes are drained after {@link #DEFAULT_DRAIN_MILLIS}. */
    public LinkRules(boolean measuredDelay, Duration waitToRestore) {
        this(measuredDelay, waitToRestore, Duration.ofMillis(DEFAULT_DRAIN_MILLIS));
    }

    /** True if nodes without a session are drained at all. */
    public boolean drains() {
        return !drainAfter.isZero();
    }
}
