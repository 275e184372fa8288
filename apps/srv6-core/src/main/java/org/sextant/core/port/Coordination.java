// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.port;

import java.util.List;
import java.util.Optional;

/** Port: which controllers there are, and which of them acts for a key (a node's name) now. */
public interface Coordination {
    /** The key of what belongs to no node, such as who settles what two controllers numbered alike. */
    String OF_NO_NODE = "intents";

    boolean isMine(String key);

    /** Whether other controllers act for the other keys, so that they have to tell each other what became of intents. */
    default boolean shared() {
        return false;
    }

    /**
     * The controllers of the cluster in the order of their ids, also those that are lost; exactly one is this controller. From
     * any thread; asks nobody and waits for nobody.
     */
    List<Member> members();

    /**
     * The id of the member that acts for a key now; empty if nobody does, or it is not known. It is this controller's if and
     * only if the key {@link #isMine}, once both are told of the same change. From any thread; waits for nobody.
     */
    Optional<String> leaderOf(String key);

    /** Calls {@code listener} when who acts for some key, or what is told of members, may have changed. */
    Subscription onChange(Runnable listener);
}
