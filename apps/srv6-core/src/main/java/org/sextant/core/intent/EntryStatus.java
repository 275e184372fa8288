// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.List;
import java.util.Optional;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.port.DataPlane.Failure;
import org.sextant.core.table.Entry;

/**
 * A wanted entry, or one that is to go, and what became of it.
 *
 * @param entry what is wanted; of one that is to go what the node held when it was last read, empty if it never was
 * @param failure why it is not installed, or not gone; empty if nothing stands against it
 * @param owners the intents that want it, or did, sorted
 * @param counters as of the last reading of the node
 * @param waitsFor the node that does not answer and for which it waits: its own, or another without which none of the intent's
 *     entries is installed
 */
public record EntryStatus(
        String node,
        Entry.Key key,
        Optional<Entry> entry,
        EntryState state,
        Optional<Failure> failure,
        List<IntentRef> owners,
        Optional<Counters> counters,
        Optional<String> waitsFor) {

    public EntryStatus {
        owners = owners.size() == 1
                ? List.copyOf(owners)
                : owners.stream().sorted().toList();
    }

    /** Of a wanted entry. */
    public EntryStatus(
            String node,
            Entry entry,
            EntryState state,
            Optional<Failure> failure,
            List<IntentRef> owners,
            Optional<Counters> counters) {
        this(node, entry.key(), Optional.of(entry), state, failure, owners, counters, Optional.empty());
    }
}
