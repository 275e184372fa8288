// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.List;
import java.util.Optional;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.port.DataPlane.Failure;
import org.sextant.core.table.Entry;

/**
 * A wanted entry and what became of it.
 *
 * @param failure why it is not installed; empty if it is, or if nothing stands against it
 * @param owners the intents that want it, sorted
 * @param counters as of the last reading of the node
 */
public record EntryStatus(
        String node,
        Entry entry,
        EntryState state,
        Optional<Failure> failure,
        List<IntentRef> owners,
        Optional<Counters> counters) {

    public EntryStatus {
        owners = owners.stream().sorted().toList();
    }
}
