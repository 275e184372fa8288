// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.List;

/**
 * The results of all intents in another network.
 *
 * @param untouched the number of intents that would not change
 * @param changed the others, the worse first
 */
public record WhatIfResult(int untouched, List<WhatIfOutcome> changed) {
    public WhatIfResult {
        changed = List.copyOf(changed);
    }
}
