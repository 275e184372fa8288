// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.orphan;

import org.sextant.core.intent.IntentRef;

/** Gets what comes to and goes from the entries without an intent, on the event loop. */
public interface OrphanListener {
    void added(Orphan orphan);

    void removed(Orphan orphan);

    /** The status of what an intent left may be another. */
    void changed(IntentRef intent);
}
