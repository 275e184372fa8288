// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.core.intent.Bench.await;
import static org.sextant.core.intent.Toy.toy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sextant.core.Problem;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.desired.IntentStore;
import org.sextant.core.intent.desired.StoredIntent;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.net.Host;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;

/** Conflicts over rows are resolved from stored intents alone, so all controllers agree. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EngineConflictTest {
    private static final List<String> NODES = List.of("a", "b", "c", "d");
    private static final List<String> PREFIXES = List.of("fd00::/16", "fd00:1::/32", "fd00:1:1::/48", "fd00:2::/32");

    private final FakeStore store = new FakeStore();
    private final FakeDataPlane dataPlane = new FakeDataPlane();
    private final FakeInventory inventory = new FakeInventory(Bench.square());
    private final Toy.Kind kind = new ByName();

    /** Any number of toys may have the same head and prefix: only one of them gets the row. */
    private static final class ByName extends Toy.Kind {
        @Override
        public String identity(Toy toy) {
            return toy.name();
        }
    }

    private Bench controller() {
        Bench bench = new Bench(inventory, dataPlane, store, Bench.QUIET, kind);
        bench.connectAll();
        bench.start();
        return bench;
    }

    private Map.Entry<String, String> stored(Toy toy, int number) {
        IntentRef ref = new IntentRef("toy", toy.name());
        return Map.entry(ref.toString(), StoredIntent.encode(ref, number, kind.encode(toy)));
    }

    private static List<String> states(Bench bench) {
        return bench.engine.list(bench.kind).stream()
                .map(status -> status.id() + " " + status.state() + " "
                        + status.problems().stream().map(Problem::code).toList())
                .toList();
    }

    @Test
    void of_two_that_were_accepted_at_once_all_controllers_keep_the_one_with_the_lower_number() {
        try (Bench first = controller();
                Bench second = controller()) {
            first.coordination.mine(
                    key -> List.of("a", "b", IntentStore.NUMBERING).contains(key));
            second.coordination.mine(key -> List.of("c", "d").contains(key));
            Toy p1 = toy("p1", "fd00:1::/64", "a d");
            Toy p2 = toy("p2", "fd00:1::/64", "a c");
            store.put("intents", Map.ofEntries(stored(p2, 1), stored(p1, 2)));
            for (int i = 0; i < 3; i++) {
                first.settle();
                second.settle();
            }
            for (Bench bench : List.of(first, second)) {
                assertThat(states(bench)).containsExactly("p1 FAILED [CONFLICT]", "p2 INSTALLED []");
            }
            assertThat(dataPlane.held("c").values()).containsExactly(Toy.sid(1));
            assertThat(dataPlane.held("d")).isEmpty();
            await(second.engine.withdraw(kind, List.of("p2")));
            for (int i = 0; i < 3; i++) {
                first.settle();
                second.settle();
            }
            for (Bench bench : List.of(first, second)) {
                assertThat(states(bench)).containsExactly("p1 INSTALLED []");
            }
        }
    }

    @Test
    void an_earlier_one_takes_its_row_back_when_it_compiles_again() {
        try (Bench bench = controller()) {
            bench.submit(toy("p1", "fd00:1::/64", "a b"));
            bench.inventory.link("a", "b", false);
            bench.settle();
            bench.submit(toy("p2", "fd00:1::/64", "a c"));
            assertThat(states(bench)).containsExactly("p1 FAILED [UNFEASIBLE]", "p2 INSTALLED []");
            bench.inventory.link("a", "b", true);
            bench.settle();
            assertThat(states(bench)).containsExactly("p1 INSTALLED []", "p2 FAILED [CONFLICT]");
            assertThat(dataPlane.held("c")).isEmpty();
        }
    }

    @Test
    void what_would_go_round_over_two_intents_is_refused_and_names_the_other() {
        try (Bench bench = controller()) {
            bench.submit(toy("there", "fd00:1::/64", "a c"));
            Submission<Toy> submission = bench.submit(toy("back", "fd00:1::/64", "c a"));
            assertThat(submission.outcomes().get(0).problems())
                    .containsExactly(
                            new Problem(
                                    Problem.Code.UNFEASIBLE,
                                    "/prefix",
                                    "packets to fd00:1:: would go round for ever: this one takes them from c to a, toy \"there\" from a to c",
                                    "end the path where the packets are delivered, or steer others, or delete toy \"there\" first"));
            assertThat(bench.engine
                            .dryRun(kind, toy("back", "fd00:1::/64", "c a"))
                            .plan()
                            .problems())
                    .hasSize(1);
            assertThat(bench.engine.list(kind)).hasSize(1);
            assertThat(bench.submit(toy("chain", "fd00:1::/64", "c d"))
                            .outcomes()
                            .get(0)
                            .accepted())
                    .isTrue();
        }
    }

    @Test
    void a_change_of_one_that_closes_a_circle_is_refused_and_it_stays_as_it_was() {
        try (Bench bench = controller()) {
            bench.submit(toy("p1", "fd00:1::/64", "a c"), toy("p2", "fd00:1::/64", "c d"));
            assertThat(bench.submit(toy("p2", "fd00:1::/64", "c a"))
                            .outcomes()
                            .get(0)
                            .accepted())
                    .isFalse();
            assertThat(states(bench)).containsExactly("p1 INSTALLED []", "p2 INSTALLED []");
            assertThat(bench.status("p2").intent().intent().path()).containsExactly("c", "d");
        }
    }

    @Test
    void when_what_kept_two_apart_is_withdrawn_the_later_of_them_fails_and_says_why() {
        try (Bench bench = controller()) {
            bench.submit(
                    toy("away", "fd00:1::/64", "a d"),
                    toy("wide", "fd00::/16", "a c"),
                    toy("back", "fd00:1::/64", "c a"));
            assertThat(states(bench)).allMatch(line -> line.contains("INSTALLED"));
            await(bench.engine.withdraw(kind, List.of("away")));
            bench.settle();
            assertThat(states(bench)).containsExactly("back FAILED [UNFEASIBLE]", "wide INSTALLED []");
            assertThat(bench.status("back").problems().get(0).message())
                    .contains("toy \"wide\" takes them from a to c, this one from c to a");
            bench.submit(toy("away", "fd00:1::/64", "a d"));
            bench.settle();
            assertThat(states(bench)).allMatch(line -> line.contains("INSTALLED"));
        }
    }

    @Test
    void a_host_that_moves_away_lets_packets_go_round_that_were_delivered() {
        Network square = Bench.square();
        Host host = new Host(
                "h",
                java.util.Optional.of(MacAddress.parse("02:00:00:00:00:01")),
                List.of(IpAddress.parse("fd00:1::1")),
                new Link.End("c", 99));
        inventory.set(new Network(List.copyOf(square.nodes().values()), square.links(), List.of(host)));
        try (Bench bench = controller()) {
            bench.submit(toy("there", "fd00:1::1/128", "a c"), toy("wide", "fd00::/16", "c a"));
            assertThat(states(bench)).containsExactly("there INSTALLED []", "wide INSTALLED []");
            inventory.set(square);
            bench.settle();
            assertThat(states(bench)).containsExactly("there INSTALLED []", "wide FAILED [UNFEASIBLE]");
            inventory.set(new Network(List.copyOf(square.nodes().values()), square.links(), List.of(host)));
            bench.settle();
            assertThat(states(bench)).containsExactly("there INSTALLED []", "wide INSTALLED []");
        }
    }

    @Test
    void a_plan_with_two_entries_for_one_row_is_a_defect_and_not_installed() {
        Toy.Kind twice = new Toy.Kind("twice") {
            @Override
            public Plan compile(NumberedIntent<Toy> intent, CompileContext context) {
                Toy toy = intent.intent();
                return new Plan(
                        List.of(new Plan.Placed("a", toy.steering(1)), new Plan.Placed("a", toy.steering(2))),
                        Explained.NOTHING,
                        List.of(),
                        List.of(),
                        Dependence.NOTHING);
            }
        };
        try (Bench bench = controller()) {
            bench.engine.register(twice);
            assertThat(bench.engine
                            .submit(twice, List.of(toy("p1", "fd00:1::/64", "a b")))
                            .outcomes()
                            .get(0)
                            .problems())
                    .singleElement()
                    .asString()
                    .contains("two different entries for steering_v6 vrf 0 fd00:1::/64 on node a");
        }
    }

    static IntStream seeds() {
        return IntStream.range(0, 60);
    }

    /** However the stored intents came, changed and went: the outcome is that of a controller that finds them at its start. */
    @ParameterizedTest
    @MethodSource("seeds")
    void the_outcome_does_not_depend_on_how_it_came_to_be(int seed) {
        Random random = new Random(seed);
        List<String> states;
        try (Bench bench = controller()) {
            for (int step = 0; step < 25; step++) {
                disturb(random, bench);
                if (random.nextInt(3) == 0) {
                    bench.settle();
                }
            }
            bench.settle();
            states = states(bench);
        }
        try (Bench fresh = controller()) {
            fresh.settle();
            assertThat(states(fresh)).isEqualTo(states);
            assertThat(states)
                    .as("a circle or a conflict now and then, and not for all")
                    .hasSizeGreaterThan(0);
        }
    }

    private void disturb(Random random, Bench bench) {
        String name = "p" + random.nextInt(9);
        Toy toy = toy(name, PREFIXES.get(random.nextInt(4)), path(random));
        switch (random.nextInt(8)) {
            case 0 -> bench.submit(toy);
            case 1 -> store.remove("intents", "toy/" + name);
            case 2 -> inventory.link("a", "c", random.nextBoolean());
            default -> {
                Map<String, String> values = new TreeMap<>();
                Map.Entry<String, String> entry = stored(toy, 1 + Integer.parseInt(name.substring(1)));
                values.put(entry.getKey(), entry.getValue());
                store.put("intents", values);
            }
        }
    }

    private static String path(Random random) {
        List<String> nodes = new ArrayList<>(NODES);
        java.util.Collections.shuffle(nodes, random);
        return nodes.stream().limit(2).collect(Collectors.joining(" "));
    }
}
