// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.List;

/**
 * What all intents would come to in another network.
 *
 * @param untouched how many would stay what they are
 * @param changed the others, the worse first
 */
public record WhatIfResult(int untouched, List<Foreseen> changed) {
    public WhatIfResult {
        changed = List.copyOf(changed);
    }
}
