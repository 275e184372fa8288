// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sextant.core.Problem;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.net.Network;
import org.sextant.core.sid.SidFormat;
import org.sextant.kit.Family;
import org.sextant.kit.path.Waypoint;
import org.sextant.usid.Policy.Between;
import org.sextant.usid.Policy.Return;
import org.sextant.usid.plan.PolicyKind;

/** Ten thousand policies on a thousand nodes; the bench measures, this test detects quadratic growth. */
@Tag("slow")
class ScaleTest {
    /** The aim is 2 s of one core; the processor time of a busy machine with a cold JVM is a multiple of that. */
    private static final Duration GENEROUS = Duration.ofSeconds(15);

    @Test
    void ten_thousand_policies_on_a_thousand_nodes_compile_in_seconds() {
        Random random = new Random(1);
        Network network = RandomPolicyTest.connected(random, 1000, 40, SidFormat.F3216);
        CompileContext context = new CompileContext(network, Map.of());
        List<Policy> policies = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            List<Waypoint> nodes = RandomPolicyTest.path(random, 1000, 7);
            policies.add(new Policy(
                    Optional.empty(),
                    new Between(
                            RandomPolicyTest.host(nodes.get(0)),
                            RandomPolicyTest.host(nodes.get(nodes.size() - 1)),
                            nodes,
                            Return.ONE_WAY),
                    Decap.F00D,
                    Optional.of(Family.IPV6),
                    true));
        }
        PolicyKind kind = Fig4.kind();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime();
        List<Problem> problems = policies.stream()
                .flatMap(policy -> kind.compile(new NumberedIntent<>("x", 1, policy), context).problems().stream())
                .toList();
        Duration elapsed = Duration.ofNanos(threads.getCurrentThreadCpuTime() - start);
        assertThat(problems).isEmpty();
        assertThat(elapsed).isLessThan(GENEROUS);
    }
}
