// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ProbeSumsTest {
    @Test
    void random_changes_of_policies_leave_the_sum_of_what_is_there() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        ProbeSums sums = new ProbeSums();
        Map<String, Map<String, Long>> policies = new HashMap<>();
        for (int i = 0; i < 2_000; i++) {
            Map<String, Long> load = new HashMap<>();
            for (int link = random.nextInt(4); link > 0; link--) {
                load.put("link" + random.nextInt(6), 1L + random.nextInt(1000));
            }
            String policy = "policy" + random.nextInt(10);
            policies.put(policy, load);
            sums.put(policy, load);
            Map<String, Long> expected = new HashMap<>();
            policies.values().forEach(one -> one.forEach((link, bits) -> expected.merge(link, bits, Long::sum)));
            assertThat(sums.bitsPerSecond()).as("seed %d", seed).isEqualTo(expected);
        }
    }
}
