// SPDX-License-Identifier: Apache-2.0
package org.sextant.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.net.Network;
import org.sextant.usid.Policy;
import org.sextant.usid.PolicyShape;
import org.sextant.usid.plan.PolicyCompiler;
import org.sextant.usid.plan.PolicyKind;

/**
 * All policies of a large network compiled anew, as after a change of the topology: nothing is kept from the iteration
 * before, shortest paths included. The aim is 2 s on one core for 10,000 policies with three hops on 1,000 nodes.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(1)
public class CompileBench {
    private static final int NODES = 1000;
    private static final int POLICIES = 10_000;

    @Param({"3", "7"})
    int hops;

    private List<NumberedIntent<Policy>> policies;
    private Network network;
    private final PolicyKind kind = new PolicyKind(new PolicyCompiler());

    @Setup(Level.Trial)
    public void network() {
        network = TwoRings.of(NODES);
        Random random = new Random(1);
        policies = new ArrayList<>();
        for (int i = 0; i < POLICIES; i++) {
            policies.add(new NumberedIntent<>("p" + i, i + 1, PolicyShape.POLICY.decode(json(policy(random, i)))));
        }
    }

    @Benchmark
    public int compile() {
        CompileContext context = new CompileContext(network, Map.of());
        int entries = 0;
        for (NumberedIntent<Policy> policy : policies) {
            Plan plan = kind.compile(policy, context);
            if (!plan.feasible()) {
                throw new IllegalStateException(plan.problems().toString());
            }
            entries += plan.entries().size();
        }
        return entries;
    }

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private String policy(Random random, int index) {
        int[] nodes = random.ints(0, NODES).distinct().limit(hops + 1L).toArray();
        StringBuilder list = new StringBuilder();
        for (int i = 1; i < nodes.length; i++) {
            list.append(i == 1 ? "" : ",")
                    .append("{\"node\":\"n")
                    .append(nodes[i])
                    .append("\",\"loose\":true}");
        }
        return "{\"name\":\"p" + index + "\",\"headend\":\"n" + nodes[0] + "\",\"hops\":[" + list
                + "],\"steering\":[\"2001:db8:" + Integer.toHexString(index) + "::/64\"]}";
    }
}
