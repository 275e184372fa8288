// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.port;

/** Port: which controller of a cluster acts for a key (a node's name) now. */
public interface Coordination {

    boolean isMine(String key);

    /** Whether other controllers act for the other keys, so that they have to tell each other what became of intents. */
    default boolean shared() {
        return false;
    }

    /** Calls {@code listener} when the answer may have changed for some key. */
    Subscription onChange(Runnable listener);
}
