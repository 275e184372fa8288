// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.List;

/**
 * An intent as the engine keeps it.
 *
 * @param id stable name in REST and CLI
 * @param number unique among all intents of all kinds, 1 to 2^27; the lower, the older
 * @param grants numbers of pools that it was given
 */
public record NumberedIntent<I>(String id, int number, I intent, List<Allocation> grants) {
    /** The largest number of an intent. */
    public static final int MAX_NUMBER = 1 << 27;

    public NumberedIntent {
        grants = List.copyOf(grants);
    }

    /** An intent without allocated numbers. */
    public NumberedIntent(String id, int number, I intent) {
        this(id, number, intent, List.of());
    }
}
