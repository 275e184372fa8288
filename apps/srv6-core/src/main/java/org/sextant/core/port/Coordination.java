// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.port;

import java.util.List;
import java.util.Optional;

/** Port: which controllers there are, and which of them acts for a key (a node's name) now. */
public interface Coordination {
    /** The key of work that belongs to no node, such as resolving duplicate numbers of two controllers. */
    String OF_NO_NODE = "intents";

    boolean isMine(String key);

    /**
     * True if other controllers act for the other keys, so that they have to report the status of intents to each
     * other.
     */
    default boolean shared() {
        return false;
    }

    /**
     * The controllers of the cluster in the order of their ids, also those that are lost; exactly one is this
     * controller. From any thread; does not block.
     */
    List<Member> members();

    /**
     * The id of the member that acts for a key now; empty if there is none, or it is unknown. It is this controller's
     * if and only if the key {@link #isMine}, once both have seen the same change. From any thread; does not block.
     */
    Optional<String> leaderOf(String key);

    /** Calls {@code listener} when the leader of some key, or the state of members, may have changed. */
    Subscription onChange(Runnable listener);
}
