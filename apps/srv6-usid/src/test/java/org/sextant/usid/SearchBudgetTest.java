// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Srv6;
import org.sextant.core.sid.SidFormat;

/** Bounds the cost of one policy: disjoint paths with bounds on a grid of 100 nodes, where the search is hard. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SearchBudgetTest {
    private static final int SIDE = 10;

    private static String pair(long te, long delay) {
        String bounds = "'metric':'igp','bounds':{'te':" + te + ",'delayMicros':" + delay + "}";
        return "{'headend':'g0','endpoint':'g99','steering':['2001:db8:1::/48'],'candidatePaths':["
                + "{'preference':200,'dynamic':{" + bounds + "}},"
                + "{'preference':100,'dynamic':{" + bounds + ",'disjointFrom':[{'candidate':200,'share':'node'}]}}]}";
    }

    @ParameterizedTest
    @ValueSource(longs = {60, 70, 75, 80, 90, 120})
    void two_disjoint_paths_with_bounds_cost_two_seconds_of_a_processor_at_most(long bound) {
        Network network = grid(new Random(7));
        NumberedIntent<Policy> policy = new NumberedIntent<>("p", 1, Fig4.policy(pair(bound, bound)));
        Plan first = Fig4.kind().admit(policy, new CompileContext(network, Map.of()));
        CompileContext context = new CompileContext(network, Map.of());
        long before = cpu();
        Plan plan = Fig4.kind().admit(policy, context);
        assertThat(Duration.ofNanos(cpu() - before)).isLessThan(Duration.ofSeconds(2));
        assertThat(plan.entries()).isEqualTo(first.entries());
        assertThat(plan.problems()).isEqualTo(first.problems());
        assertThat(plan.warnings()).isEqualTo(first.warnings());
    }

    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** An easy candidate path is found beside a hard one, as neither takes the other's steps. */
    @Test
    void a_hard_candidate_leaves_another_one_its_steps() {
        String hard = pair(70, 70);
        String easy = hard.substring(0, hard.length() - 2) + ",{'preference':50,'dynamic':{}}]}";
        Plan plan = Fig4.kind()
                .explain(
                        new NumberedIntent<>("p", 1, Fig4.policy(easy)),
                        new CompileContext(grid(new Random(7)), Map.of()));
        assertThat(plan.explanation().at("/candidatePaths/2/state").textValue()).isEqualTo("VALID");
    }

    private static Network grid(Random random) {
        IpPrefix block = IpPrefix.of(Ipv6.parse("fcbb:bbbb::"), 32);
        List<Node> nodes = new ArrayList<>();
        List<Link> links = new ArrayList<>();
        for (int i = 0; i < SIDE * SIDE; i++) {
            Srv6 srv6 = new Srv6(block, SidFormat.F3216, 0x10L * (i + 1), new Ipv6(0xfcffL << 48, i + 1));
            nodes.add(new Node("g" + i, "device:g" + i, "", "", Optional.of(srv6), new TreeMap<>(), Optional.empty()));
            if (i % SIDE != SIDE - 1) {
                join(links, random, new Link.End("g" + i, 1), new Link.End("g" + (i + 1), 2));
            }
            if (i + SIDE < SIDE * SIDE) {
                join(links, random, new Link.End("g" + i, 3), new Link.End("g" + (i + SIDE), 4));
            }
        }
        return new Network(nodes, links, List.of());
    }

    private static void join(List<Link> links, Random random, Link.End one, Link.End other) {
        int igp = 1 + random.nextInt(9);
        int te = 1 + random.nextInt(9);
        long delay = 1L + random.nextInt(9);
        links.add(new Link(one, other, igp, te, delay, 9000, Set.of(), Set.of(), true));
        links.add(new Link(other, one, igp, te, delay, 9000, Set.of(), Set.of(), true));
    }
}
