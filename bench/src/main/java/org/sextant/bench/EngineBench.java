// SPDX-License-Identifier: Apache-2.0
package org.sextant.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.provision.ProtectionKind;
import org.sextant.core.provision.Provisioning;
import org.sextant.usid.Policy;
import org.sextant.usid.PolicyShape;
import org.sextant.usid.plan.PolicyCompiler;
import org.sextant.usid.plan.PolicyKind;

/**
 * How long a controller of a large network takes, and how long its engine's thread listens to nothing else meanwhile.
 * Nodes and store are in memory and answer at once, so that the controller is measured.
 */
public final class EngineBench implements AutoCloseable {
    private final FakeDataPlane nodes = new FakeDataPlane();
    private final FakeInventory inventory;
    private final PolicyKind policies = new PolicyKind(new PolicyCompiler());
    private final IntentEngine engine;
    private final Map<String, List<Double>> samples = new LinkedHashMap<>();

    private EngineBench(Network network) {
        inventory = new FakeInventory(network);
        engine = new IntentEngine(
                inventory,
                nodes,
                new FakeStore(),
                new FakeCoordination(),
                EngineSettings.DEFAULT.withAuditInterval(Duration.ZERO).withAdoptionGrace(Duration.ZERO));
    }

    /** Arguments: nodes, computed policies, policies of one list, rounds. Prints a JSON object of samples by name; milliseconds. */
    public static void main(String[] args) throws JsonProcessingException {
        int[] sizes = IntStream.range(0, 4).map(i -> Integer.parseInt(args[i])).toArray();
        try (EngineBench bench = new EngineBench(TwoRings.of(sizes[0]))) {
            bench.run(sizes[0], sizes[1], sizes[2], sizes[3]);
            System.out.println(new ObjectMapper().writeValueAsString(bench.samples));
        }
    }

    private void run(int size, int computed, int listed, int rounds) {
        Random random = new Random(1);
        measure("start of " + size + " nodes", () -> {
            inventory.snapshot().nodes().keySet().forEach(nodes::connect);
            engine.register(new Provisioning());
            engine.register(new ProtectionKind());
            engine.register(policies);
            engine.start();
        });
        List<Policy> dynamic = policies(random, size, computed, "dynamic");
        measure(computed + " computed policies in one list", () -> submit(dynamic));
        List<Link> links = inventory.snapshot().links();
        for (int round = 0; round < rounds; round++) {
            Link link = links.get(random.nextInt(links.size()));
            String from = link.from().node();
            String to = link.to().node();
            measure("a link is lost", () -> inventory.links(from, to, one -> one.withUp(false)));
            measure("it is back", () -> inventory.links(from, to, one -> one.withUp(true)));
        }
        List<Policy> loose = policies(random, size, listed, "loose");
        measure(listed + " loose policies in one list", () -> submit(loose));
        measure(
                "all policies are deleted",
                () -> engine.withdraw(
                        policies,
                        engine.list(policies).stream().map(one -> one.id()).toList()));
    }

    private void submit(List<Policy> list) {
        engine.submit(policies, list).outcomes().stream()
                .filter(one -> !one.accepted())
                .findFirst()
                .ifPresent(refused -> {
                    throw new IllegalStateException("a policy is refused: " + refused.problems());
                });
    }

    private void measure(String name, Runnable act) {
        engine.takeLongestHold();
        long from = System.nanoTime();
        act.run();
        double answered = millis(System.nanoTime() - from);
        engine.idle().join();
        add(name + ": until the last write is confirmed", millis(System.nanoTime() - from));
        add(name + ": until it is answered", answered);
        add(
                name + ": longest hold of the thread",
                millis(engine.takeLongestHold().toNanos()));
        nodes.forgetLog();
    }

    private void add(String name, double millis) {
        samples.computeIfAbsent(name, key -> new ArrayList<>()).add(millis);
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }

    private static List<Policy> policies(Random random, int nodes, int count, String path) {
        ObjectMapper mapper = new ObjectMapper();
        List<Policy> policies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int[] ends = random.ints(0, nodes).distinct().limit(4).toArray();
            String candidate = path.equals("dynamic")
                    ? "{\"dynamic\":{}}"
                    : "{\"hops\":[" + loose(ends[2]) + "," + loose(ends[3]) + "," + loose(ends[1]) + "]}";
            String text = "{\"name\":\"" + path + i + "\",\"headend\":\"n" + ends[0] + "\",\"endpoint\":\"n" + ends[1]
                    + "\",\"candidatePaths\":[" + candidate + "],\"steering\":[\"2001:db8:"
                    + (path.equals("dynamic") ? 1 : 2) + ":"
                    + Integer.toHexString(i >> 16) + ":" + Integer.toHexString(i & 0xffff) + "::/80\"]}";
            try {
                policies.add(PolicyShape.POLICY.decode(mapper.readTree(text)));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException(e);
            }
        }
        return policies;
    }

    private static String loose(int node) {
        return "{\"node\":\"n" + node + "\",\"loose\":true}";
    }

    @Override
    public void close() {
        engine.close();
    }
}
