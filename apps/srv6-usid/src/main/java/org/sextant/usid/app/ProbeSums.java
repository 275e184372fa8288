// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import java.util.HashMap;
import java.util.Map;

/** The load of the probes of all policies, in bits per second by id of the link. Thread-safe. */
final class ProbeSums {
    private final Map<String, Map<String, Long>> policies = new HashMap<>();
    private final Map<String, Long> links = new HashMap<>();

    /** Replaces the load of a policy; an empty map removes it. */
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
