// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRef;

/** All intents of the engine, by reference. Used by the event loop only, but for {@link #kindNamed}. */
public interface IntentIndex {
    Optional<TrackedIntent> find(IntentRef ref);

    /** The intents that refer to an intent, in no order. */
    Set<TrackedIntent> referers(IntentRef ref);

    /** Every intent, in the order of precedence. */
    List<TrackedIntent> all();

    /** A registered kind; any thread may call it. */
    Optional<IntentKind<Object>> kindNamed(String name);
}
