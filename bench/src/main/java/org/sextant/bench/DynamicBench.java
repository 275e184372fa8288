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
 * All computed paths of a large network anew, as if every policy leaned on the link that was lost: nothing is kept from the iteration
 * before, shortest paths included. The aim is 1 s on one core for 10,000 policies on 1,000 nodes.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(1)
public class DynamicBench {
    private static final int NODES = 1000;
    private static final int POLICIES = 10_000;

    @Param({"igp", "excludeRed", "delay", "boundedDelay"})
    String goal = "igp";

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
        int infeasible = 0;
        for (NumberedIntent<Policy> policy : policies) {
            Plan plan = kind.compile(policy, context);
            entries += plan.entries().size();
            infeasible += plan.feasible() ? 0 : 1;
        }
        if (infeasible > POLICIES / 10) {
            throw new IllegalStateException(infeasible + " have no path");
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
        int[] ends = random.ints(0, NODES).distinct().limit(2).toArray();
        String dynamic = switch (goal) {
            case "igp" -> "{}";
            case "excludeRed" -> "{\"affinity\":{\"excludeAny\":[\"red\"]}}";
            case "delay" -> "{\"metric\":\"delay\"}";
            case "boundedDelay" -> "{\"bounds\":{\"delayMicros\":18000}}";
            default -> throw new IllegalArgumentException(goal);
        };
        return "{\"name\":\"p" + index + "\",\"headend\":\"n" + ends[0] + "\",\"endpoint\":\"n" + ends[1]
                + "\",\"candidatePaths\":[{\"dynamic\":" + dynamic + "}],\"steering\":[\"2001:db8:"
                + Integer.toHexString(index) + "::/64\"]}";
    }
}
