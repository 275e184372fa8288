// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import java.util.HashMap;
import java.util.Map;

/** The probes of all policies together, in bits per second by id of the link. Thread-safe. */
final class ProbeSums {
    private final Map<String, Map<String, Long>> policies = new HashMap<>();
    private final Map<String, Long> links = new HashMap<>();

    /** In the place of what was said of the policy before; nothing of one that has no probes. */
    synchronized void put(String policy, Map<String, Long> load) {
        Map<String, Long> before = load.isEmpty() ? policies.remove(policy) : policies.put(policy, load);
        if (before != null) {
            before.forEach((link, bits) -> links.computeIfPresent(link, (id, sum) -> sum > bits ? sum - bits : null));
        }
        load.forEach((link, bits) -> links.merge(link, bits, Long::sum));
    }

    synchronized Map<String, Long> bitsPerSecond() {
        return Map.copyOf(links);
    }
}
