// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.List;
import java.util.function.Consumer;
import org.sextant.core.port.Subscription;

/**
 * The listener to the changes that a thread makes to stored intents, through whichever app: changes on behalf of a user
 * are recorded without code in every app. It is called on that thread, when the store has the change.
 */
public final class ChangeListener {
    private static final ThreadLocal<Consumer<StoredChange>> HERE = ThreadLocal.withInitial(() -> change -> {});

    private ChangeListener() {}

    /**
     * Sends the changes of this thread to {@code eyes} until the same thread closes the subscription; one at a time.
     */
    public static Subscription of(Consumer<StoredChange> eyes) {
        HERE.set(eyes);
        return HERE::remove;
    }

    /** Passes changes on to the calling thread's listener. */
    public static void report(List<StoredChange> changes) {
        changes.forEach(HERE.get());
    }
}
