// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.List;
import java.util.Set;

/** The reservations of the intents that precede one; its own, and those that it may preempt, are left out. */
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
     * The share of one intent in a link.
     *
     * @param preempting true if a younger intent took it by its priority
     */
    record Share(IntentRef intent, long kbps, boolean preempting) {}

    /**
     * The ids of links of known capacity of which so much, in kbit/s, is not left. Links without any reservation are
     * left out.
     */
    Set<String> lacking(long kbps);

    /** The reservations of a link, in their order of precedence. */
    List<Share> shares(String link);

    /** The sum of {@link #shares}, in kbit/s. */
    default long sum(String link) {
        return shares(link).stream().mapToLong(Share::kbps).sum();
    }
}
