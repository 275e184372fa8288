// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.core.intent.Toy.toy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Overload;
import org.sextant.core.net.Paths;

/** The nodes a, b, c and d are all connected; traffic from a to d goes over b if it can, otherwise over c. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EngineOverloadTest {
    private static final Instant SINCE = Instant.parse("2026-11-28T00:00:00Z");
    private static final Overload LOST = new Overload(SINCE, false);
    private static final Overload DRAINED = new Overload(SINCE, true);

    /** Goes over the first node, by name, to which and from which a link is up; one that is avoided is the last choice. */
    private static final class OverOne extends Toy.Kind {
        final Map<String, AtomicInteger> compiled = new ConcurrentHashMap<>();

        @Override
        public Plan compile(NumberedIntent<Toy> intent, CompileContext context) {
            compiled.computeIfAbsent(intent.id(), id -> new AtomicInteger()).incrementAndGet();
            Toy toy = intent.intent();
            Set<String> avoided = context.underlay().avoided();
            List<String> nodes = new ArrayList<>(context.network().nodes().keySet());
            nodes.removeAll(toy.path());
            nodes.sort(Comparator.comparing(avoided::contains)); // stable
            return nodes.stream()
                    .map(over -> super.compile(
                            new NumberedIntent<>(
                                    intent.id(),
                                    intent.number(),
                                    new Toy(toy.name(), toy.prefix(), List.of(toy.head(), over, toy.tail()))),
                            context))
                    .filter(Plan::feasible)
                    .findFirst()
                    .orElseGet(() -> super.compile(intent, context));
        }

        int compilations() {
            return compiled.values().stream().mapToInt(AtomicInteger::get).sum();
        }
    }

    private final OverOne kind = new OverOne();
    private final Bench bench =
            new Bench(new FakeInventory(Bench.square()), new FakeDataPlane(), new FakeStore(), Bench.QUIET, kind);

    EngineOverloadTest() {
        bench.connectAll();
        bench.start();
        bench.submit(toy("p1", "fd00:1::/64", "a d"));
        bench.dataPlane.forgetLog();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private void overloads(Map<String, Overload> overloads) {
        bench.inventory.overloads(overloads);
        bench.settle();
    }

    private String path(String id) {
        int number = bench.status(id).intent().number();
        return Stream.of("a b d", "a c d")
                .filter(path -> bench.dataPlane
                        .held("a")
                        .containsValue(toy("", "", path).list(number)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void the_loss_of_a_session_compiles_nothing_and_writes_nothing() {
        int compilations = kind.compilations();
        Paths paths = bench.engine.context().underlay().paths();
        bench.dataPlane.disconnect("b", "the agent was stopped");
        overloads(Map.of("b", LOST));
        assertThat(kind.compilations()).isEqualTo(compilations);
        assertThat(bench.engine.context().underlay().paths()).isSameAs(paths);
        assertThat(bench.log()).isEmpty();
        assertThat(path("p1")).isEqualTo("a b d");
    }

    @Test
    void new_intents_avoid_an_overloaded_node_and_others_stay() {
        overloads(Map.of("b", LOST));
        bench.submit(toy("p2", "fd00:2::/64", "a d"));
        assertThat(path("p2")).isEqualTo("a c d");
        assertThat(path("p1")).isEqualTo("a b d");
    }

    @Test
    void a_dry_run_says_what_submitting_would_do() {
        overloads(Map.of("b", LOST));
        Toy toy = toy("p2", "fd00:2::/64", "a d");
        Plan plan = bench.engine.dryRun(kind, toy, Precondition.NONE).plan();
        bench.submit(toy);
        assertThat(plan.entries())
                .contains(new Plan.Placed("a", toy("", "", "a c d").list(2)));
        assertThat(path("p2")).isEqualTo("a c d");
    }

    @Test
    void an_overloaded_node_is_used_where_nothing_else_connects() {
        overloads(Map.of("b", LOST));
        bench.inventory.link("a", "c", false);
        bench.submit(toy("p2", "fd00:2::/64", "a d"));
        assertThat(path("p2")).isEqualTo("a b d");
    }

    @Test
    void an_overloaded_node_stays_an_endpoint() {
        overloads(Map.of("d", LOST));
        bench.submit(toy("p2", "fd00:2::/64", "a d"));
        assertThat(path("p2")).isEqualTo("a b d");
    }

    @Test
    void an_intent_that_is_compiled_again_keeps_its_path_over_an_overloaded_node() {
        overloads(Map.of("b", LOST));
        int compilations = kind.compilations();
        Network network = bench.inventory.snapshot();
        List<Node> nodes = new ArrayList<>(network.nodes().values());
        nodes.add(Bench.node("e"));
        bench.inventory.set(
                new Network(nodes, network.links(), List.of()).withOverloads(new TreeMap<>(network.overloads())));
        bench.settle();
        assertThat(kind.compilations()).isGreaterThan(compilations);
        assertThat(bench.log()).isEmpty();
        bench.submit(toy("p1", "fd00:1::/64", "a d"));
        assertThat(bench.log()).isEmpty();
    }

    @Test
    void a_path_that_is_lost_avoids_overloaded_nodes_when_it_is_computed_again() {
        bench.inventory.link("b", "d", false);
        bench.settle();
        assertThat(path("p1")).isEqualTo("a c d");
        overloads(Map.of("b", LOST));
        bench.inventory.link("b", "d", true);
        bench.settle();
        assertThat(path("p1")).isEqualTo("a c d");
    }

    @Test
    void when_an_overload_ends_only_the_intents_that_avoid_a_node_are_compiled_again() {
        overloads(Map.of("b", LOST));
        bench.submit(toy("p2", "fd00:2::/64", "a d"));
        int first = kind.compiled.get("p1").get();
        overloads(Map.of());
        assertThat(path("p2")).isEqualTo("a b d");
        assertThat(kind.compiled.get("p1").get()).isEqualTo(first);
        int compilations = kind.compilations();
        overloads(Map.of("b", LOST));
        overloads(Map.of());
        assertThat(kind.compilations()).isEqualTo(compilations);
    }

    @Test
    void a_drained_node_loses_the_paths_that_can_avoid_it_and_gets_them_back() {
        bench.dataPlane.disconnect("b", "the agent was stopped");
        overloads(Map.of("b", LOST));
        overloads(Map.of("b", DRAINED));
        assertThat(bench.log()).containsExactly("a MODIFY sid_list id 1");
        assertThat(path("p1")).isEqualTo("a c d");
        bench.dataPlane.connect("b");
        bench.settle();
        overloads(Map.of());
        assertThat(path("p1")).isEqualTo("a b d");
    }

    @Test
    void what_cannot_avoid_a_drained_node_stays() {
        bench.inventory.link("a", "c", false);
        bench.settle();
        overloads(Map.of("b", LOST));
        overloads(Map.of("b", DRAINED));
        assertThat(bench.log()).isEmpty();
        assertThat(path("p1")).isEqualTo("a b d");
        bench.inventory.link("a", "c", true);
        bench.settle();
        assertThat(path("p1")).isEqualTo("a c d");
    }
}
