// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.SortedMap;
import org.sextant.core.underlay.Underlay;

/**
 * A kind whose intents follow from the network instead of being submitted; they are not stored and have number 0. The
 * engine derives them again after every change of the network and compiles those whose value changed, so the value must
 * contain every part of the network that {@link #compile} reads.
 *
 * <p>Slow derivations run beside the engine's thread: so routes need not wait for their protection. Nodes keep their
 * entries until then.
 */
public interface DerivedKind<I> extends IntentKind<I> {

    /** The intents of the underlay's network by id. Pure. */
    SortedMap<String, I> derive(Underlay underlay);

    /** True if deriving takes so long that other work should not wait for it; another thread calls it then. */
    default boolean slow() {
        return false;
    }
}
