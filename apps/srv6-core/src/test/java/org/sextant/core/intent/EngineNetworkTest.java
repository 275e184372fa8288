// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.core.intent.Bench.await;
import static org.sextant.core.intent.Toy.toy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sextant.core.Problem;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.port.Capabilities;
import org.sextant.core.port.DataPlane;

/** Changes of the network: affected intents are compiled again, and the nodes follow. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EngineNetworkTest {

    /** Goes over c when the direct link is down, needs udt6 at its end, counts and can be made to wait. */
    private static final class Loose extends Toy.Kind {
        final Map<String, AtomicInteger> compiled = new ConcurrentHashMap<>();
        volatile CountDownLatch gate = new CountDownLatch(0);
        volatile CountDownLatch compiling = new CountDownLatch(1);

        /** Plans include the costs of their paths. */
        volatile boolean priced;

        @Override
        public Plan compile(NumberedIntent<Toy> intent, CompileContext context) {
            compiled.computeIfAbsent(intent.id(), id -> new AtomicInteger()).incrementAndGet();
            compiling.countDown();
            try {
                assertThat(gate.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            Toy toy = intent.intent();
            if (!context.capabilities(toy.tail())
                    .map(offered -> offered.offers("my_sid", "udt6"))
                    .orElse(true)) {
                return Plan.rejected(List.of(new Problem(
                        Problem.Code.UNFEASIBLE, "/path", "node " + toy.tail() + " lacks udt6", "end elsewhere")));
            }
            Plan direct = super.compile(intent, context);
            Plan plan = direct.feasible()
                    ? direct
                    : super.compile(
                            new NumberedIntent<>(
                                    intent.id(),
                                    intent.number(),
                                    new Toy(toy.name(), toy.prefix(), List.of(toy.head(), "c", toy.tail()))),
                            context);
            PathCost cost = new PathCost(toy.head(), toy.tail(), Metric.HOPS, direct.feasible() ? 1 : 2);
            return priced && plan.feasible() ? plan.dependingOn(plan.dependsOn().withCosts(List.of(cost))) : plan;
        }

        int compiled(String id) {
            return compiled.get(id).get();
        }
    }

    private final Loose kind = new Loose();
    private final Bench bench =
            new Bench(new FakeInventory(Bench.square()), new FakeDataPlane(), new FakeStore(), Bench.QUIET, kind);

    EngineNetworkTest() {
        bench.connectAll();
        bench.start();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void a_lost_link_moves_the_intents_over_it_and_compiles_no_other() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"), toy("p2", "fd00:2::/64", "c d"));
        bench.dataPlane.forgetLog();
        bench.inventory.link("a", "b", false);
        bench.settle();
        assertThat(bench.log()).containsExactly("a MODIFY sid_list id 1");
        assertThat(bench.dataPlane.held("a").values())
                .contains(toy("", "fd00:1::/64", "a c b").list(1));
        assertThat(kind.compiled("p1")).isEqualTo(2);
        assertThat(kind.compiled("p2")).isEqualTo(1);
    }

    @Test
    void a_link_that_comes_back_is_tried_for_the_paths_that_may_use_it() {
        kind.priced = true;
        bench.inventory.link("a", "b", false);
        bench.settle();
        bench.submit(toy("p1", "fd00:1::/64", "a b"), toy("p2", "fd00:2::/64", "c d"));
        bench.inventory.link("a", "b", true);
        bench.settle();
        assertThat(kind.compiled("p1")).isEqualTo(2);
        assertThat(kind.compiled("p2"))
                .as("by a and b it is three links from c to d, not one")
                .isEqualTo(1);
        bench.inventory.links("c", "d", link -> link.withMtuBytes(1280));
        bench.settle();
        assertThat(kind.compiled("p1")).isEqualTo(2);
        assertThat(kind.compiled("p2")).as("it leads over that link").isEqualTo(2);
    }

    @Test
    void a_link_that_comes_back_may_be_better_for_everybody() {
        bench.inventory.link("a", "b", false);
        bench.submit(toy("p1", "fd00:1::/64", "a b"), toy("p2", "fd00:2::/64", "c d"));
        bench.dataPlane.forgetLog();
        bench.inventory.link("a", "b", true);
        bench.settle();
        assertThat(bench.log()).containsExactly("a MODIFY sid_list id 1");
        assertThat(kind.compiled("p2")).isEqualTo(2);
    }

    @Test
    void a_metric_that_changes_no_plan_writes_nothing() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"));
        bench.dataPlane.forgetLog();
        bench.inventory.links(
                "a", "b", link -> new Link(link.from(), link.to(), 77, 77, 0, 1500, Set.of(), Set.of(), true));
        bench.settle();
        assertThat(kind.compiled("p1")).isEqualTo(2);
        assertThat(bench.log()).isEmpty();
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
    }

    @Test
    void an_intent_that_has_no_way_left_is_taken_out_whole_and_returns_by_itself() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"));
        bench.inventory.link("a", "b", false);
        bench.inventory.link("a", "c", false);
        bench.settle();
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.FAILED);
        assertThat(bench.status("p1").problems()).extracting(Problem::message).containsExactly("no link from a to c");
        assertThat(bench.dataPlane.held("a")).isEmpty();
        assertThat(bench.dataPlane.held("b")).isEmpty();
        assertThat(bench.store.all("intents")).containsOnlyKeys("toy/p1");
        bench.inventory.link("a", "b", true);
        bench.settle();
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
        assertThat(bench.dataPlane.held("b").values()).containsExactly(Toy.sid(1));
    }

    @Test
    void a_removed_node_takes_out_what_leans_on_it() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"), toy("p2", "fd00:2::/64", "c d"));
        bench.inventory.set(without("b"));
        bench.settle();
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.FAILED);
        assertThat(bench.status("p2").state()).isEqualTo(IntentState.INSTALLED);
        assertThat(kind.compiled("p2")).isEqualTo(1);
    }

    /** The rest of the round is for a node that is neither described nor connected by then. */
    @Test
    void a_node_may_leave_the_network_between_two_steps_of_the_round_that_takes_it_out() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"), toy("p2", "fd00:2::/64", "c d"));
        bench.dataPlane.forgetLog();
        bench.dataPlane.refuse("a", update -> goneAlready("b"), DataPlane.Code.INVALID_ARGUMENT, "never");
        bench.inventory.set(without("b"));
        bench.settle();
        bench.dataPlane.obey("a");
        assertThat(bench.events).noneMatch(EngineEvent.Fault.class::isInstance);
        assertThat(bench.log()).containsExactly("a DELETE steering_v6 vrf 0 fd00:1::/64", "a DELETE sid_list id 1");
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.FAILED);
        assertThat(bench.engine.nodes()).extracting(NodeStatus::node).containsExactly("a", "c", "d");
        bench.submit(toy("p3", "fd00:3::/64", "a c"));
        assertThat(bench.status("p3").state()).isEqualTo(IntentState.INSTALLED);
    }

    /** The node is lost, and the engine has dealt with that. */
    private boolean goneAlready(String node) {
        bench.dataPlane.disconnect(node, "removed");
        bench.engine.context();
        bench.engine.context(); // the reaction to the message precedes the first question
        return false;
    }

    private Network without(String gone) {
        Network before = bench.inventory.snapshot();
        return new Network(
                before.nodes().values().stream()
                        .filter(node -> !node.name().equals(gone))
                        .toList(),
                before.links(),
                List.of());
    }

    @Test
    void a_burst_of_changes_is_compiled_once_with_the_last_of_them() throws InterruptedException {
        bench.submit(toy("p1", "fd00:1::/64", "a b"));
        kind.gate = new CountDownLatch(1);
        kind.compiling = new CountDownLatch(1);
        bench.inventory.link("a", "b", false);
        assertThat(kind.compiling.await(20, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 50; i++) {
            bench.inventory.link("b", "d", i % 2 == 0);
            bench.inventory.link("a", "b", i % 2 == 0);
        }
        bench.inventory.link("a", "b", true);
        kind.gate.countDown();
        bench.settle();
        assertThat(kind.compiled("p1"))
                .as("when submitted, for the first change, for the others")
                .isEqualTo(3);
        assertThat(bench.dataPlane.held("a").values())
                .contains(toy("", "fd00:1::/64", "a b").list(1));
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
    }

    @Test
    void an_intent_is_compiled_again_when_a_node_tells_that_it_cannot() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"), toy("p2", "fd00:2::/64", "a d"));
        bench.dataPlane.connect("b", new Capabilities(Map.of("my_sid", Set.of("un")), Map.of()));
        bench.settle();
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.FAILED);
        assertThat(bench.status("p1").problems()).extracting(Problem::message).containsExactly("node b lacks udt6");
        assertThat(bench.dataPlane.held("b")).isEmpty();
        assertThat(kind.compiled("p2")).isEqualTo(1);
        bench.dataPlane.connect("b", new Capabilities(Map.of("my_sid", Set.of("un", "udt6")), Map.of()));
        bench.settle();
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
    }

    @Test
    void rows_may_go_round_between_intents_in_one_change() {
        IntentKind<Toy> rotating = new Toy.Kind("rotating") {
            @Override
            public String identity(Toy toy) {
                return toy.name();
            }

            /** The prefix follows the metric of the link a-b: p1 gets the even one, p2 the odd, or the reverse. */
            @Override
            public Plan compile(NumberedIntent<Toy> intent, CompileContext context) {
                int metric = context.network().linksFrom("a").get(0).igpMetric();
                int place = (metric + (intent.id().equals("p1") ? 0 : 1)) % 2;
                Toy turned = toy(intent.id(), "fd00:" + place + "::/64", "a b");
                return super.compile(new NumberedIntent<>(intent.id(), intent.number(), turned), context);
            }
        };
        bench.engine.register(rotating);
        await(bench.engine
                .submit(rotating, List.of(toy("p1", "", "a b"), toy("p2", "", "a b")))
                .settled());
        bench.dataPlane.forgetLog();
        bench.inventory.links(
                "a", "b", link -> new Link(link.from(), link.to(), 11, 10, 0, 1500, Set.of(), Set.of(), true));
        bench.settle();
        assertThat(bench.engine.list(rotating)).allMatch(status -> status.state() == IntentState.INSTALLED);
        assertThat(bench.log())
                .containsExactlyInAnyOrder(
                        "a MODIFY steering_v6 vrf 0 fd00:0::/64".replace("fd00:0::", "fd00::"),
                        "a MODIFY steering_v6 vrf 0 fd00:1::/64");
    }

    @Test
    void a_change_that_needs_a_lost_node_waits_and_keeps_what_works() {
        IntentKind<Toy> moving = new Toy.Kind("moving") {
            @Override
            public Plan compile(NumberedIntent<Toy> intent, CompileContext context) {
                Plan direct = super.compile(intent, context);
                Toy elsewhere = toy(intent.id(), intent.intent().prefix(), "a d");
                return direct.feasible()
                        ? direct
                        : super.compile(new NumberedIntent<>(intent.id(), intent.number(), elsewhere), context);
            }
        };
        bench.engine.register(moving);
        await(bench.engine
                .submit(moving, List.of(toy("p1", "fd00:1::/64", "a b")))
                .settled());
        bench.dataPlane.disconnect("d", "rebooting");
        bench.settle();
        bench.dataPlane.forgetLog();
        bench.inventory.link("a", "b", false);
        bench.settle();
        assertThat(bench.log()).isEmpty();
        assertThat(bench.engine.get(moving, "p1").orElseThrow().state()).isEqualTo(IntentState.DEGRADED);
        bench.dataPlane.connect("d");
        bench.settle();
        assertThat(bench.log())
                .containsExactly(
                        "d INSERT my_sid fcbb:bbbb:0:1::/64",
                        "a MODIFY sid_list id 1",
                        "b DELETE my_sid fcbb:bbbb:0:1::/64");
        assertThat(bench.engine.get(moving, "p1").orElseThrow().state()).isEqualTo(IntentState.INSTALLED);
    }

    /** The engine's share of compiling: plans are precomputed, so only their comparison is left. */
    @Test
    @Tag("slow")
    void ten_thousand_intents_are_checked_after_a_change_in_well_under_a_second() {
        IntentKind<Toy> quick = new Toy.Kind("quick") {
            private final Map<String, Plan> plans = new ConcurrentHashMap<>();

            @Override
            public Plan compile(NumberedIntent<Toy> intent, CompileContext context) {
                return plans.computeIfAbsent(intent.id(), id -> super.compile(intent, context));
            }
        };
        bench.engine.register(quick);
        List<Toy> toys = new ArrayList<>();
        for (int i = 1; i <= 10_000; i++) {
            toys.add(toy("p" + i, "fd00:" + Integer.toHexString(i) + "::/64", "a b"));
        }
        bench.engine.submit(quick, toys);
        bench.settle();
        bench.dataPlane.forgetLog();
        long best = Long.MAX_VALUE;
        for (int metric = 11; metric < 16; metric++) {
            int changed = metric;
            long start = System.nanoTime();
            bench.inventory.links(
                    "c", "d", link -> new Link(link.from(), link.to(), changed, 10, 0, 1500, Set.of(), Set.of(), true));
            bench.settle();
            best = Math.min(best, System.nanoTime() - start);
        }
        assertThat(TimeUnit.NANOSECONDS.toMillis(best)).as("milliseconds").isLessThan(1000);
        assertThat(bench.log()).isEmpty();
    }
}
