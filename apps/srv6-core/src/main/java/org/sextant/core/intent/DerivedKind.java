// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.SortedMap;
import org.sextant.core.underlay.Underlay;

/**
 * A kind whose intents follow from the network instead of being submitted; they are not stored and have number 0. The
 * engine derives them again after every change of the network and compiles those whose value changed, so the value
 * should hold all of the network that {@link #compile} looks at.
 *
 * <p>What takes long is worked out beside the engine's thread, and comes when it is ready: so routes need not wait for what only
 * guards them. What the nodes hold stays until then.
 */
public interface DerivedKind<I> extends IntentKind<I> {

    /** The intents of the underlay's network by id. Pure. */
    SortedMap<String, I> derive(Underlay underlay);

    /** Whether that takes so long that others should not wait for it; it is called by another thread then. */
    default boolean slow() {
        return false;
    }
}
