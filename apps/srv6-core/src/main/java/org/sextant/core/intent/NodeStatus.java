// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.time.Instant;
import java.util.Optional;

/**
 * A node as the engine sees it.
 *
 * @param reason why it is not SYNCED, in words; "" if it is
 * @param entries rows it held when last read or written
 * @param lastRead when all of it was last read
 * @param notice what should be known of it although it works
 */
public record NodeStatus(
        String node, State state, String reason, int entries, Optional<Instant> lastRead, Optional<String> notice) {
    NodeStatus with(Optional<String> news) {
        return new NodeStatus(node, state, reason, entries, lastRead, news);
    }

    /** Whether what the node holds is known. */
    public enum State {
        /** Another controller of the cluster handles it. */
        ELSEWHERE,
        /** Not reachable; what it holds is unknown. */
        LOST,
        /** Reachable, being read. */
        READING,
        /** What it holds is known. */
        SYNCED
    }
}
