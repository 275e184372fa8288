// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.allocate;

import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.intent.install.IntentIndex;

/** The numbers of pools and the capacity of links that intents have. */
public final class Allocations {
    private final IdPools pools;
    private final CapacityTracker capacity;

    public Allocations(EngineRuntime runtime, IntentIndex intents) {
        this.pools = new IdPools(runtime.commits());
        this.capacity = new CapacityTracker(intents);
    }

    public IdPools pools() {
        return pools;
    }

    public CapacityTracker capacity() {
        return capacity;
    }
}
