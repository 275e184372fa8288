// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.provision;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeDataPlane.Done;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.EntryFilter;
import org.sextant.core.intent.EntryStatus;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.intent.install.RouteReports;
import org.sextant.core.loop.EngineThread;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Protection;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.protect.Nets;
import org.sextant.core.replay.RecordedRun;
import org.sextant.core.table.Entry;
import org.sextant.core.table.Route;
import org.sextant.core.underlay.NextHopIds;

/** Several controllers write the routes of one network, each to the nodes that it handles. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(120)
class RoutesInClusterTest {
    private static final EngineSettings QUIET = EngineSettings.DEFAULT
            .withAuditInterval(Duration.ZERO)
            .withAdoptionGrace(Duration.ZERO)
            .withRetryDelay(Duration.ofMillis(20))
            .withSilence(Duration.ofMillis(50));
    private static final String TO_B = "fcbb:bbbb:110::/44";

    private final FakeDataPlane dataPlane = new FakeDataPlane();
    private final FakeStore store = new FakeStore();
    private final List<Controller> controllers = new ArrayList<>();

    /** One controller with an inventory of its own. */
    private final class Controller {
        final FakeInventory inventory;
        final FakeCoordination coordination = new FakeCoordination();
        final RecordedRun run = new RecordedRun();
        final IntentEngine engine;

        Controller(Network network, Set<String> nodes) {
            inventory = new FakeInventory(network);
            coordination.mine(nodes::contains);
            engine = new IntentEngine(
                    new IntentEngine.Ports(inventory, dataPlane, store, coordination),
                    QUIET,
                    EngineThread.factory(QUIET.clock(), Optional.of(run)));
            engine.register(new Provisioning());
            engine.register(new ProtectionKind());
            engine.start();
        }
    }

    private void start(Network network, List<Set<String>> shares) {
        network.nodes().keySet().forEach(dataPlane::connect);
        shares.forEach(share -> controllers.add(new Controller(network, share)));
        settle();
        dataPlane.forgetLog();
    }

    @AfterEach
    void close() {
        controllers.stream()
                .flatMap(one -> one.inventory.snapshot().nodes().keySet().stream())
                .forEach(dataPlane::release);
        controllers.forEach(one -> one.engine.close());
        controllers.forEach(one -> one.run.requireSameDecisions(QUIET));
    }

    private void become(Network network) {
        controllers.forEach(one -> one.inventory.set(network));
    }

    /** Reports of one controller are events for the others. */
    private void settle() {
        for (int i = 0; i < 3; i++) {
            controllers.forEach(one -> await(one.engine.idle()));
        }
    }

    private static void await(CompletableFuture<?> future) {
        assertThat(future).succeedsWithin(20, SECONDS);
    }

    private static void eventually(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
            Thread.onSpinWait();
        }
    }

    private static Network ring() {
        return Nets.ring("a", "b", "c", "d", "e", "f")
                .with(new Protection(true, true, false))
                .network();
    }

    private List<String> writtenToB() {
        return dataPlane.log().stream()
                .filter(done -> done.entry() instanceof Route
                        && done.entry().key().match().endsWith(TO_B))
                .map(Done::node)
                .toList();
    }

    private Optional<String> waitsFor(int controller, String node) {
        return controllers.get(controller).engine.entries(EntryFilter.ofNode(node)).stream()
                .filter(entry -> entry.key().table().equals(Route.TABLE_V6)
                        && entry.key().match().endsWith(TO_B))
                .findFirst()
                .flatMap(EntryStatus::waitsFor);
    }

    private boolean isWritten(String node) {
        return dataPlane.log().stream().anyMatch(done -> done.node().equals(node) && done.entry() instanceof Route);
    }

    /** e keeps its old route, which returns f's packets. */
    @Test
    void routes_over_a_node_of_another_controller_that_hangs_stay_as_they_are() {
        start(ring(), List.of(Set.of("a", "b", "f"), Set.of("c", "d", "e")));
        dataPlane.hold("e");
        become(Nets.without(ring(), "a", "b"));
        eventually(() -> isWritten("b") && isWritten("d"));
        await(controllers.get(0).engine.idle());
        assertThat(writtenToB()).isEmpty();
        assertThat(waitsFor(0, "f")).hasValue("e");
        dataPlane.release("e");
        eventually(() -> writtenToB().size() == 3);
        assertThat(writtenToB()).containsExactly("e", "f", "a");
    }

    @Test
    void routes_change_in_order_across_controllers() {
        start(ring(), List.of(Set.of("a", "e"), Set.of("b", "f"), Set.of("c", "d")));
        become(Nets.without(ring(), "a", "b"));
        eventually(() -> writtenToB().size() == 3);
        assertThat(writtenToB()).containsExactly("e", "f", "a");
        settle();
        dataPlane.forgetLog();
        become(ring());
        eventually(() -> writtenToB().size() == 3);
        assertThat(writtenToB()).containsExactly("a", "f", "e");
    }

    /** By that report e sends packets to b over both of its links, so f waits for it; other routes over e change. */
    @Test
    void of_a_silent_node_that_comes_to_another_controller_the_last_report_counts() {
        start(ring(), List.of(Set.of("a", "b", "f"), Set.of("c", "d", "e")));
        dataPlane.disconnect("e", "its agent is stopped");
        controllers.get(1).coordination.mine(Set.of("c", "d")::contains);
        controllers.get(0).coordination.mine(Set.of("a", "b", "f", "e")::contains);
        settle();
        become(Nets.without(ring(), "a", "b"));
        eventually(() -> isWritten("b") && isWritten("d"));
        settle();
        assertThat(writtenToB()).isEmpty();
        assertThat(waitsFor(0, "f")).hasValue("e");
        dataPlane.connect("e");
        eventually(() -> writtenToB().size() == 3);
        assertThat(writtenToB()).containsExactly("e", "f", "a");
    }

    /** The former controller of e has stored another plan, of which no event arrived. */
    @Test
    void a_report_that_was_stored_meanwhile_is_not_overwritten_but_counts() {
        start(ring(), List.of(Set.of("a", "b", "f"), Set.of("c", "d", "e")));
        dataPlane.disconnect("e", "its agent is stopped");
        controllers.get(1).coordination.mine(Set.of("c", "d")::contains);
        settle();
        ObjectNode last = reportOfE();
        assertThat(last.get("unsettled")).as("settled").isEmpty();
        long number = last.get("number").longValue();
        last.put("number", number + 1).put("plan", "0123456789abcdef");
        store.meanwhile(RouteReports.MAP, "e", last.toString());
        controllers.get(0).coordination.mine(Set.of("a", "b", "f", "e")::contains);
        settle();
        ObjectNode taken = reportOfE();
        assertThat(taken.get("number").longValue()).isEqualTo(number + 2);
        assertThat(taken.has("unsettled")).as("e was not read").isFalse();
    }

    private ObjectNode reportOfE() {
        try {
            return (ObjectNode)
                    new ObjectMapper().readTree(store.get(RouteReports.MAP, "e").orElseThrow());
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = FakeStore.Fault.class,
            names = {"REFUSED", "UNANSWERED"})
    void a_report_whose_commit_fails_is_stored_again(FakeStore.Fault fault) {
        start(ring(), List.of(Set.of("a", "b", "f"), Set.of("c", "d", "e")));
        store.failNext(fault);
        become(Nets.without(ring(), "a", "b"));
        eventually(() -> writtenToB().size() == 3);
        assertThat(writtenToB()).containsExactly("e", "f", "a");
    }

    @Test
    void while_the_store_hangs_no_route_in_use_is_changed_and_the_entry_says_why() throws InterruptedException {
        start(ring(), List.of(Set.of("a", "b", "f"), Set.of("c", "d", "e")));
        store.hang(FakeStore.Hang.BEFORE);
        become(Nets.without(ring(), "a", "b"));
        store.awaitHanging();
        eventually(() -> controllers.get(1).engine.entries(EntryFilter.ofNode("e")).stream()
                .anyMatch(entry -> entry.failure()
                        .filter(why -> why.reason().contains("to the other controllers is not stored yet"))
                        .isPresent()));
        assertThat(writtenToB()).isEmpty();
        store.goOn();
        eventually(() -> writtenToB().size() == 3);
        assertThat(writtenToB()).containsExactly("e", "f", "a");
    }

    /**
     * Networks of 4 to 9 nodes whose links change state and metric; the controllers receive the change one after the
     * other.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void no_packet_loops_while_controllers_see_different_networks_and_nodes_hang(long seed) {
        Random random = new Random(seed);
        int size = 4 + random.nextInt(6);
        Network network = Nets.random(random.nextLong(), size, size + random.nextInt(size))
                .with(new Protection(true, false, false))
                .network();
        List<Set<String>> shares = List.of(new HashSet<>(), new HashSet<>(), new HashSet<>());
        network.nodes().keySet().forEach(node -> shares.get(random.nextInt(3)).add(node));
        start(network, shares);
        Fibs fibs = new Fibs(network);
        for (int step = 0; step < 12; step++) {
            String node = List.copyOf(network.nodes().keySet()).get(random.nextInt(size));
            switch (random.nextInt(4)) {
                case 0 -> {
                    dataPlane.release(node);
                    dataPlane.hold(node);
                }
                case 1 -> dataPlane.release(node);
                default -> {}
            }
            network = changed(network, random);
            List<Controller> order = new ArrayList<>(controllers);
            Collections.shuffle(order, random);
            for (Controller one : order) {
                one.inventory.set(network);
                pause(random.nextInt(4));
            }
            pause(random.nextInt(60));
        }
        network.nodes().keySet().forEach(dataPlane::release);
        Network last = network;
        eventually(() -> {
            settle();
            return isAsPlanned(last);
        });
        fibs.replay(dataPlane.log());
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Network changed(Network network, Random random) {
        List<Link> links = network.links().stream()
                .map(link -> random.nextInt(8) > 0
                        ? link
                        : Nets.like(link, 1 + random.nextInt(5), link.srlgs(), random.nextInt(3) > 0))
                .toList();
        return new Network(network.nodes().values(), links, List.of());
    }

    private boolean isAsPlanned(Network network) {
        FakeDataPlane planned = SingleController.install(network);
        return network.nodes().keySet().stream()
                .allMatch(node -> routes(planned.held(node)).equals(routes(dataPlane.held(node))));
    }

    private static Map<Entry.Key, Set<Integer>> routes(SortedMap<Entry.Key, Entry> held) {
        return held.values().stream()
                .filter(Route.class::isInstance)
                .collect(Collectors.toMap(Entry::key, Entry::leavesBy));
    }

    /** The routes of all nodes, replayed in the order in which the nodes applied them. */
    private final class Fibs {
        private final Map<String, String> neighbors = new HashMap<>();
        private final Map<Entry.Key, Map<String, Set<Integer>>> routes = new TreeMap<>();

        Fibs(Network network) {
            network.links()
                    .forEach(link -> neighbors.put(
                            link.from().node() + " "
                                    + NextHopIds.ofPort(link.from().port()),
                            link.to().node()));
            for (String node : network.nodes().keySet()) {
                routes(dataPlane.held(node))
                        .forEach((key, hops) -> routes.computeIfAbsent(key, none -> new HashMap<>())
                                .put(node, hops));
            }
        }

        void replay(List<Done> log) {
            for (Done done : log) {
                if (done.ok() && done.entry() instanceof Route route) {
                    Map<String, Set<Integer>> nodes = routes.computeIfAbsent(route.key(), none -> new HashMap<>());
                    if (done.operation() == Operation.DELETE) {
                        nodes.remove(done.node());
                    } else {
                        nodes.put(done.node(), route.leavesBy());
                    }
                    assertThat(loops(nodes, done.node(), done.node(), new HashSet<>()))
                            .as("packets loop after %s", done)
                            .isFalse();
                }
            }
        }

        private boolean loops(Map<String, Set<Integer>> nodes, String start, String at, Set<String> passed) {
            for (int hop : nodes.getOrDefault(at, Set.of())) {
                String next = neighbors.get(at + " " + hop);
                if (start.equals(next) || next != null && passed.add(next) && loops(nodes, start, next, passed)) {
                    return true;
                }
            }
            return false;
        }
    }
}
