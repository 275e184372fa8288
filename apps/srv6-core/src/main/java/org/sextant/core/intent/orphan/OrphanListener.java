// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.orphan;

import org.sextant.core.intent.IntentRef;

/** Receives the changes of the orphaned entries, on the event loop. */
public interface OrphanListener {
    void added(Orphan orphan);

    void removed(Orphan orphan);

    /** The status of an intent's orphaned entries may have changed. */
    void changed(IntentRef intent);
}
