// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.List;
import java.util.Set;

/** What those have reserved of links who stand before an intent; of its own and of what it may take from others nothing. */
public interface Reserved {
    Reserved NOTHING = new Reserved() {
        @Override
        public Set<String> lacking(long kbps) {
            return Set.of();
        }

        @Override
        public List<Share> shares(String link) {
            return List.of();
        }
    };

    /**
     * One intent's part of a link.
     *
     * @param preempting whether it came later and took it by its priority
     */
    record Share(IntentRef intent, long kbps, boolean preempting) {}

    /** The ids of links of known capacity of which so much, in kbit/s, is not left. Those of which nothing is reserved are not told. */
    Set<String> lacking(long kbps);

    /** Who has something of a link, the first in their order first. */
    List<Share> shares(String link);

    /** The sum of {@link #shares}, in kbit/s. */
    default long sum(String link) {
        return shares(link).stream().mapToLong(Share::kbps).sum();
    }
}
