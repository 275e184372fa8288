// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.time.Instant;
import java.util.Optional;
import org.sextant.core.text.Moments;

/**
 * A node as the engine sees it.
 *
 * @param reason why it is not SYNCED, in the words of the source of the failure; "" if it is
 * @param entries rows it held when last read or written
 * @param lastRead when all of it was last read
 * @param notice a condition that needs attention although the node works
 * @param contact since when it answers or does not, and the number of rows that wait for it
 */
public record NodeStatus(
        String node,
        State state,
        String reason,
        int entries,
        Optional<Instant> lastRead,
        Optional<String> notice,
        Contact contact) {

    /** A node whose state alone is known. */
    public NodeStatus(
            String node, State state, String reason, int entries, Optional<Instant> lastRead, Optional<String> notice) {
        this(node, state, reason, entries, lastRead, notice, Contact.NONE);
    }

    public NodeStatus with(Optional<String> news) {
        return new NodeStatus(node, state, reason, entries, lastRead, news, contact);
    }

    /**
     * Since when a node answers, or does not. A node that cannot be read in several attempts is silent since the first
     * of them.
     *
     * @param since when it began to answer, or stopped; empty if another controller handles it
     * @param lastSeen when it last answered this controller; empty if it never did
     * @param waiting rows, desired or to be removed, that wait for it to be read or written
     */
    public record Contact(Optional<Instant> since, Optional<Instant> lastSeen, int waiting) {
        public static final Contact NONE = new Contact(Optional.empty(), Optional.empty(), 0);
    }

    /** The message about a LOST node, the same for all intents that wait for it. */
    public String silence() {
        return silence(node, contact.lastSeen().flatMap(seen -> contact.since()));
    }

    /** @param since empty if it never answered */
    public static String silence(String node, Optional<Instant> since) {
        return since.map(then -> node + " does not answer since " + Moments.text(then))
                .orElse(node + " has not answered yet");
    }

    /** The state of the connection to a node and of its observed entries. */
    public enum State {
        /** Another controller of the cluster handles it. */
        ELSEWHERE,
        /** Not reachable; its entries are unknown. */
        LOST,
        /** Reachable, being read. */
        READING,
        /** Its entries are known. */
        SYNCED
    }
}
