// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.List;
import java.util.function.Consumer;
import org.sextant.core.port.Subscription;

/**
 * Sees what a thread changes in the stored intents, whichever app it does that by: so that what is done on behalf of a person
 * is reported without every app reporting it. It is called on that thread, when the store has the change.
 */
public final class Witness {
    private static final ThreadLocal<Consumer<StoredChange>> HERE = ThreadLocal.withInitial(() -> change -> {});

    private Witness() {}

    /** From now on {@code eyes} get what this thread changes, until the same thread closes it; one at a time. */
    public static Subscription of(Consumer<StoredChange> eyes) {
        HERE.set(eyes);
        return HERE::remove;
    }

    /** Passes changes on to what the calling thread has set. */
    public static void report(List<StoredChange> changes) {
        changes.forEach(HERE.get());
    }
}
