// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.Optional;

/** Selects entries; an empty field means all. */
public record EntryFilter(Optional<String> node, Optional<IntentRef> intent, Optional<EntryState> state) {
    public static final EntryFilter ALL = new EntryFilter(Optional.empty(), Optional.empty(), Optional.empty());

    public static EntryFilter ofNode(String node) {
        return new EntryFilter(Optional.of(node), Optional.empty(), Optional.empty());
    }

    public static EntryFilter ofState(EntryState state) {
        return new EntryFilter(Optional.empty(), Optional.empty(), Optional.of(state));
    }

    public boolean accepts(EntryStatus entry) {
        return node.map(entry.node()::equals).orElse(true)
                && intent.map(entry.owners()::contains).orElse(true)
                && state.map(entry.state()::equals).orElse(true);
    }
}
