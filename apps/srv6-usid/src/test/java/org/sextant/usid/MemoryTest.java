// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.net.Network;
import org.sextant.core.sid.SidFormat;
import org.sextant.kit.path.Waypoint;
import org.sextant.usid.plan.PolicyKind;

/**
 * The heap of a stored policy in each state. A hundred thousand must fit in 512 MiB, of which a controller needs 45 for
 * itself. The nodes and the store of the test count, too.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Tag("slow")
class MemoryTest {
    private static final int POLICIES = 4_000;
    private static final int PART = 1000;
    /** 467 MiB for a hundred thousand are 4,896 each. */
    private static final long MOST = 4_850;

    private static final long FEW = 750;

    /**
     * The engine keeps the shortest paths of the last states of a network, which take some MiB for a thousand nodes.
     * The test divides them by few policies; for a hundred thousand it would be 40 bytes each.
     */
    private static final long STATES_OF_A_THOUSAND_NODES = 4_000_000L / POLICIES;

    private final FakeDataPlane dataPlane = new FakeDataPlane();
    private final FakeStore store = new FakeStore();
    private final PolicyKind kind = Fig4.kind();
    private FakeInventory inventory;
    private IntentEngine engine;
    private long empty;

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void policies_of_figure_4_take_little_room_in_every_state() {
        live(
                Fig4.NETWORK,
                IntStream.range(0, POLICIES)
                        .mapToObj(i -> json(i, List.of("l1", "l2", "p7", "p6", "v5", "v4", "l3")))
                        .toList(),
                0);
    }

    @Test
    void policies_of_a_thousand_nodes_take_little_room_in_every_state() {
        Random random = new Random(1);
        Network network = RandomPolicyTest.connected(random, 1000, 40, SidFormat.F3216);
        live(
                network,
                IntStream.range(0, POLICIES)
                        .mapToObj(i -> json(
                                i,
                                RandomPolicyTest.path(random, 1000, 7).stream()
                                        .map(Waypoint::text)
                                        .toList()))
                        .toList(),
                STATES_OF_A_THOUSAND_NODES);
    }

    private void start(Network network, List<String> policies) {
        inventory = new FakeInventory(network);
        network.nodes().keySet().forEach(dataPlane::connect);
        run();
        // Shortest paths are computed on demand, and kept for all policies.
        policies.forEach(policy -> kind.compile(new NumberedIntent<>("x", 1, Fig4.policy(policy)), engine.context()));
        empty = used();
    }

    private void run() {
        engine = new IntentEngine(
                inventory,
                dataPlane,
                store,
                new FakeCoordination(),
                EngineSettings.DEFAULT
                        .withAuditInterval(Duration.ZERO)
                        .withAdoptionGrace(Duration.ZERO)
                        .withRetryDelay(Duration.ofHours(1)));
        engine.register(kind);
        engine.start();
        await(engine.idle());
    }

    /** The life of many policies, from their submission to their removal. */
    private void live(Network network, List<String> policies, long states) {
        start(network, policies);
        for (int from = 0; from < policies.size(); from += PART) {
            List<Policy> part = policies.subList(from, Math.min(from + PART, policies.size())).stream()
                    .map(Fig4::policy)
                    .toList();
            await(engine.submit(kind, part).settled());
            dataPlane.forgetLog();
        }
        hold("installed", IntentState.INSTALLED, MOST + states);
        await(engine.audit());
        hold("audited", IntentState.INSTALLED, MOST + states);
        engine.close();
        run();
        hold("after a restart", IntentState.INSTALLED, MOST + states);
        Network whole = inventory.snapshot();
        inventory.set(
                new Network(whole.nodes().values(), List.of(), whole.hosts().values()));
        await(engine.idle());
        hold("no links", IntentState.FAILED, MOST + states);
        inventory.set(whole);
        await(engine.idle());
        hold("with links again", IntentState.INSTALLED, MOST + states);
        whole.nodes().keySet().forEach(node -> dataPlane.disconnect(node, "gone"));
        await(engine.idle());
        hold("no nodes", null, MOST + states);
        whole.nodes().keySet().forEach(dataPlane::connect);
        await(engine.idle());
        await(engine.withdraw(
                kind, engine.list(kind).stream().map(status -> status.id()).toList()));
        await(engine.idle());
        assertThat(engine.list(kind)).isEmpty();
        hold("deleted", null, FEW + states);
    }

    private void hold(String when, IntentState state, long most) {
        dataPlane.forgetLog();
        if (state != null) {
            assertThat(engine.list(kind).stream().map(status -> status.state()).collect(Collectors.toSet()))
                    .as(when)
                    .isEqualTo(Collections.singleton(state));
        }
        long each = (used() - empty) / POLICIES;
        System.out.printf("%s: %d bytes per policy%n", when, each);
        assertThat(each).as("bytes per policy, " + when).isLessThan(most);
    }

    private static String json(int index, List<String> nodes) {
        String hops = nodes.stream()
                .skip(1)
                .map(node -> "{\"node\":\"" + node + "\",\"loose\":true}")
                .collect(Collectors.joining(","));
        return String.format(
                "{\"name\":\"bulk-%d\",\"headend\":\"%s\",\"hops\":[%s],\"steering\":[\"2001:db8:%x:%x::/64\"]}",
                index, nodes.get(0), hops, index >> 16, index & 0xffff);
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(10, TimeUnit.MINUTES);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("did not settle", e);
        }
    }
}
