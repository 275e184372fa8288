// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import java.util.Map;
import org.sextant.core.port.Store;

/**
 * Numbers the lives of each node's Live-Live sequences (docs/reference/livelive.md): 1 to 65535 and round again. A number
 * is durable before it is given, so that none is given twice.
 */
record Epochs(Store store) {
    private static final int LAST = 0xffff;

    synchronized int next(String node) {
        String key = "live-live-epoch/" + node;
        int before = store.get(ElectionIds.MAP, key).map(Integer::parseInt).orElse(0);
        int next = before % LAST + 1;
        store.put(ElectionIds.MAP, Map.of(key, Integer.toString(next)));
        return next;
    }
}
