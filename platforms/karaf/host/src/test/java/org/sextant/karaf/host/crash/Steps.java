// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.sextant.core.port.Store.Write;

/**
 * The changes of a recorded store: step {@code i} is a function of {@code i} alone, and so is the store's content after
 * it. Each step changes two maps, so that half a step shows.
 */
final class Steps {
    private static final int KEYS = 40;
    private static final int LONGEST = 30_000;

    private Steps() {}

    /** The writes of a step, from 1 on. */
    static List<Write> of(int step) {
        List<Write> writes = new ArrayList<>();
        writes.add(Write.put("left", "step", Integer.toString(step)));
        writes.add(Write.put("right", "step", Integer.toString(step)));
        String key = "k" + step * 7 % KEYS;
        writes.add(step % 5 == 0 ? Write.clear("left", key) : Write.put("left", key, value(step)));
        return writes;
    }

    private static String value(int step) {
        return ("{\"step\":" + step + ",\"fill\":\"")
                .concat("x".repeat(step * 7919 % LONGEST))
                .concat("\"}");
    }

    /** The content of a store after the first steps: "map/key" to value. */
    static Map<String, String> after(int steps) {
        Map<String, String> content = new TreeMap<>();
        for (int step = 1; step <= steps; step++) {
            for (Write write : of(step)) {
                Optional<String> value = write.value();
                String name = write.map() + "/" + write.key();
                if (value.isPresent()) {
                    content.put(name, value.get());
                } else {
                    content.remove(name);
                }
            }
        }
        return content;
    }
}
