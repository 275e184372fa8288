// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.List;
import java.util.Optional;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.port.DataPlane.Failure;
import org.sextant.core.table.Entry;

/**
 * A desired entry, or one to be removed, with its state.
 *
 * @param entry the desired entry; for one to be removed, the entry that the node held when it was last read, empty if
 *     it never was
 * @param failure why it is not installed, or not removed; empty if nothing stands against it
 * @param owners the intents of the entry, present or former, sorted
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

    /** The status of a desired entry. */
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
