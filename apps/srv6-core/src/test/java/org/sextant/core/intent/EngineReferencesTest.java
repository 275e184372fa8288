// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sextant.core.intent.Bench.await;
import static org.sextant.core.intent.Toy.toy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.Travel.Agent;
import org.sextant.core.intent.Travel.Commuter;
import org.sextant.core.intent.Travel.Commuters;
import org.sextant.core.intent.Travel.Rider;
import org.sextant.core.intent.Travel.Riders;
import org.sextant.core.intent.Travel.Roads;
import org.sextant.core.intent.desired.IntentStore;
import org.sextant.core.port.DataPlane.Code;

/** Intents that mean nothing without another: riders of roads. */
@Timeout(60)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EngineReferencesTest {
    private final FakeStore store = new FakeStore();
    private final FakeDataPlane dataPlane = new FakeDataPlane();
    private final FakeInventory inventory = new FakeInventory(Bench.square());
    private final Roads roads = new Roads();
    private final Riders riders = new Riders();

    private final Map<String, Agent> agents =
            Map.of("a", new Agent(), "b", new Agent(), "c", new Agent(), "d", new Agent());

    private Bench controller() {
        return controller(true);
    }

    private Bench controller(boolean withRiders) {
        Bench bench = new Bench(inventory, dataPlane, store, Bench.QUIET, roads);
        if (withRiders) {
            bench.engine.register(riders);
        }
        bench.connectAll();
        // Agents check the order: no list is removed while a row steers packets into it, and no row is written before
        // its list.
        agents.forEach((node, agent) ->
                dataPlane.refuse(node, agent::refuses, Code.FAILED_PRECONDITION, "a row names the list"));
        bench.start();
        return bench;
    }

    private static Rider rider(String road, String name) {
        int number = Integer.parseInt(name.substring(1));
        return new Rider(road, name, "fd0a:" + Integer.toHexString(number) + "::/32");
    }

    private Submission<Rider> submit(Bench bench, Rider... all) {
        Submission<Rider> submission = bench.engine.submit(riders, List.of(all));
        await(submission.settled());
        return submission;
    }

    private static Toy road(String name, String path) {
        return toy(name, "fd00:" + name.charAt(1) + "::/32", path);
    }

    /** One of many roads. */
    private static Toy far(int number) {
        return toy("r" + number, "fd01:" + Integer.toHexString(number) + "::/32", "a c");
    }

    private IntentStatus<Rider> status(Bench bench, String id) {
        return bench.engine.get(riders, id).orElseThrow();
    }

    private void requireNothingRefused(Bench bench) {
        assertThat(bench.events).noneMatch(event -> event instanceof EngineEvent.EntryRefused);
        assertThat(bench.events).noneMatch(event -> event instanceof EngineEvent.Fault);
    }

    /** Lists that riders of a node are sent into. */
    private List<Integer> lanes(String node) {
        return dataPlane.held(node).values().stream()
                .filter(row -> row.key().match().contains("fd0a:"))
                .map(row -> row.sendsInto().orElseThrow())
                .distinct()
                .toList();
    }

    @Test
    void an_intent_is_compiled_with_what_another_offers_and_its_id_begins_with_that_of_the_other() {
        try (Bench bench = controller()) {
            bench.submit(road("r1", "a b"));
            assertThat(submit(bench, rider("r1", "x1")).outcomes().get(0).accepted())
                    .isTrue();
            assertThat(status(bench, "r1/x1").state()).isEqualTo(IntentState.INSTALLED);
            assertThat(lanes("a")).containsExactly(2);
            assertThat(submit(bench, new Rider("r1", "a/b", "fd0a:9::/32"))
                            .outcomes()
                            .get(0)
                            .problems()
                            .get(0)
                            .message())
                    .isEqualTo("\"a/b\" is not an id");
            requireNothingRefused(bench);
        }
    }

    @Test
    void what_refers_to_nothing_is_refused_and_says_so() {
        try (Bench bench = controller()) {
            List<Problem> problems =
                    submit(bench, rider("r1", "x1")).outcomes().get(0).problems();
            assertThat(problems)
                    .containsExactly(new Problem(
                            Problem.Code.UNKNOWN, "/road", "there is no road \"r1\"", "add it first, or name another"));
            assertThat(bench.engine.dryRun(riders, rider("r1", "x1")).plan().problems())
                    .isEqualTo(problems);
        }
    }

    @Test
    void another_path_of_a_road_is_of_no_concern_to_those_who_travel_it() {
        try (Bench bench = controller()) {
            bench.submit(road("r1", "a b c"));
            submit(bench, rider("r1", "x1"), rider("r1", "x2"));
            riders.compiled.set(0);
            dataPlane.forgetLog();
            bench.submit(road("r1", "a d c"));
            bench.settle();
            assertThat(bench.log()).hasSize(1).allMatch(line -> line.contains("sid_list"));
            inventory.link("b", "d", false);
            bench.settle();
            inventory.link("b", "d", true);
            bench.settle();
            assertThat(riders.compiled).hasValue(0);
            requireNothingRefused(bench);
        }
    }

    @Test
    void who_is_offered_another_list_goes_there_before_the_one_goes_that_he_leaves() {
        try (Bench bench = controller()) {
            bench.submit(road("r1", "a b c"));
            submit(bench, rider("r1", "x1"), rider("r1", "x2"));
            assertThat(lanes("a")).containsExactly(3);
            bench.submit(road("r1", "a c"));
            bench.settle();
            assertThat(lanes("a")).containsExactly(2);
            assertThat(dataPlane.held("a")).hasSize(4);
            requireNothingRefused(bench);
        }
    }

    @Test
    @Tag("slow")
    void a_road_that_is_lost_and_comes_back_takes_its_riders_along_and_no_write_is_refused() {
        try (Bench bench = controller()) {
            bench.submit(road("r1", "a b"));
            Rider[] many =
                    IntStream.range(0, 9000).mapToObj(i -> rider("r1", "x" + i)).toArray(Rider[]::new);
            submit(bench, many);
            assertThat(dataPlane.held("a")).hasSize(9002);
            inventory.link("a", "b", false);
            bench.settle();
            assertThat(dataPlane.held("a")).isEmpty();
            assertThat(status(bench, "r1/x7").state()).isEqualTo(IntentState.FAILED);
            assertThat(status(bench, "r1/x7").problems().get(0).message())
                    .isEqualTo("road \"r1\" has nothing to install now");
            inventory.link("a", "b", true);
            bench.settle();
            assertThat(dataPlane.held("a")).hasSize(9002);
            assertThat(bench.engine.list(riders)).allMatch(status -> status.state() == IntentState.INSTALLED);
            requireNothingRefused(bench);
        }
    }

    @Test
    void what_others_would_not_compile_with_any_more_is_not_changed() {
        try (Bench bench = controller()) {
            bench.submit(road("r1", "a b c"));
            submit(
                    bench,
                    new Rider("r1", "odd1", "fd0a:1::/32"),
                    new Rider("r1", "odd2", "fd0a:2::/32"),
                    rider("r1", "x3"));
            assertThat(lanes("a")).containsExactly(3);
            Problem problem = new Problem(
                    Problem.Code.UNFEASIBLE,
                    "",
                    "road \"r1\" would break references of rider \"r1/odd1\", rider \"r1/odd2\"; the first of"
                            + " them, at /road: lane 2 is even",
                    "take another; or change what refers to it first");
            dataPlane.forgetLog();
            assertThat(bench.engine.dryRun(roads, road("r1", "a c")).plan().problems())
                    .containsExactly(problem);
            Submission.Outcome<Toy> outcome =
                    bench.submit(road("r1", "a c")).outcomes().get(0);
            assertThat(outcome.problems()).containsExactly(problem);
            assertThat(outcome.changed()).isFalse();
            bench.settle();
            assertThat(bench.log()).isEmpty();
            assertThat(lanes("a")).containsExactly(3);
            assertThat(bench.engine.get(roads, "r1").orElseThrow().state()).isEqualTo(IntentState.INSTALLED);
            assertThat(bench.submit(road("r1", "a d c")).outcomes().get(0).changed())
                    .as("another path with the same lane is no concern of theirs")
                    .isTrue();
        }
    }

    /** Neither could change alone. */
    @Test
    void what_changes_in_one_bulk_is_held_against_what_the_others_in_it_become() {
        try (Bench bench = controller()) {
            Commuters commuters = new Commuters();
            bench.engine.register(commuters);
            bench.submit(road("r1", "a b c"), road("r2", "a b c"));
            bench.engine.submit(commuters, List.of(new Commuter("same", "r1", "r2")));
            bench.settle();
            assertThat(bench.submit(road("r1", "a c")).outcomes().get(0).changed())
                    .as("alone")
                    .isFalse();
            assertThat(bench.submit(road("r1", "a c"), road("r2", "a c")).outcomes())
                    .extracting(Submission.Outcome::changed)
                    .containsExactly(true, true);
            bench.settle();
            assertThat(bench.engine.get(commuters, "same").orElseThrow().state())
                    .isEqualTo(IntentState.INSTALLED);
            requireNothingRefused(bench);
        }
    }

    @Test
    void what_changes_in_a_long_list_is_held_against_what_the_others_in_it_become_too() {
        try (Bench bench = controller()) {
            Commuters commuters = new Commuters();
            bench.engine.register(commuters);
            bench.submit(road("r1", "a b c"), road("r2", "a b c"));
            bench.engine.submit(commuters, List.of(new Commuter("same", "r1", "r2")));
            List<Toy> list = new ArrayList<>(List.of(road("r1", "a c")));
            IntStream.range(3, 2000).forEach(i -> list.add(far(i)));
            list.add(road("r2", "a c"));
            assertThat(bench.submit(list.toArray(Toy[]::new)).outcomes()).allMatch(Submission.Outcome::changed);
        }
    }

    @Test
    void of_a_long_list_none_is_withdrawn_if_another_kind_refers_to_one() {
        try (Bench bench = controller()) {
            bench.submit(
                    IntStream.range(0, 200).mapToObj(EngineReferencesTest::far).toArray(Toy[]::new));
            bench.engine.submit(riders, List.of(new Rider("r0", "w", "fd00:1::/64")));
            List<String> all = IntStream.range(0, 200).mapToObj(i -> "r" + i).toList();
            assertThatThrownBy(() -> bench.engine.withdraw(roads, all)).isInstanceOf(ProblemException.class);
            assertThat(bench.engine.list(roads)).as("none of them").hasSize(200);
        }
    }

    /** Each change alone would be possible. */
    @Test
    void what_would_leave_somebody_behind_together_is_not_changed_together() {
        try (Bench bench = controller()) {
            Commuters commuters = new Commuters();
            bench.engine.register(commuters);
            bench.submit(road("r1", "a b c"), road("r2", "a b c"));
            bench.engine.submit(commuters, List.of(new Commuter("some", "r1", "r2")));
            bench.settle();
            Submission<Toy> both = bench.submit(road("r1", "a c"), road("r2", "a c"));
            assertThat(both.outcomes()).extracting(Submission.Outcome::changed).containsExactly(true, false);
            assertThat(both.outcomes().get(1).problems().get(0).message())
                    .isEqualTo("road \"r2\" would break references of commuter \"some\"; the first of them, at"
                            + " /there: lanes 2 and 4");
            bench.settle();
            assertThat(bench.engine.get(commuters, "some").orElseThrow().state())
                    .isEqualTo(IntentState.INSTALLED);
            assertThat(dataPlane.held("a").values())
                    .filteredOn(row -> row.listId().isPresent())
                    .extracting(row -> row.listId().orElseThrow())
                    .containsExactlyInAnyOrder(2, 5);
            requireNothingRefused(bench);
        }
    }

    /** An intent that does not compile now blocks no change. */
    @Test
    void who_failed_before_does_not_hold_a_change_up() {
        try (Bench bench = controller()) {
            bench.submit(road("r1", "a b c"));
            submit(bench, new Rider("r1", "odd1", "fd0a:1::/32"));
            inventory.link("a", "b", false);
            bench.settle();
            assertThat(status(bench, "r1/odd1").state()).isEqualTo(IntentState.FAILED);
            assertThat(bench.submit(road("r1", "a c")).outcomes().get(0).changed())
                    .isTrue();
            bench.settle();
            assertThat(status(bench, "r1/odd1").problems())
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.message()).isEqualTo("lane 2 is even"));
        }
    }

    @Test
    void who_refers_to_another_than_before_is_compiled_with_that_and_leaves_the_old_one_free() {
        try (Bench bench = controller()) {
            bench.submit(road("r1", "a b"), road("r2", "a b c"));
            submit(bench, new Rider("r1", "n1", "fd0a:1::/32"));
            assertThat(lanes("a")).containsExactly(2);
            submit(bench, new Rider("r2", "n1", "fd0a:1::/32"));
            assertThat(lanes("a")).containsExactly(5);
            assertThatThrownBy(() -> bench.engine.withdraw(roads, List.of("r2")))
                    .isInstanceOf(ProblemException.class);
            bench.submit(road("r2", "a b"));
            bench.settle();
            assertThat(lanes("a")).containsExactly(4);
            await(bench.engine.withdraw(roads, List.of("r1")));
            bench.settle();
            assertThat(status(bench, "n1").state()).isEqualTo(IntentState.INSTALLED);
            requireNothingRefused(bench);
        }
    }

    @Test
    void what_others_refer_to_is_not_withdrawn() {
        try (Bench bench = controller()) {
            bench.submit(road("r1", "a b"), road("r2", "a b"));
            submit(
                    bench,
                    IntStream.range(0, 5).mapToObj(i -> rider("r1", "x" + i)).toArray(Rider[]::new));
            assertThatThrownBy(() -> bench.engine.withdraw(roads, List.of("r1", "r2")))
                    .isInstanceOfSatisfying(
                            ProblemException.class,
                            e -> assertThat(e.problems())
                                    .containsExactly(new Problem(
                                            Problem.Code.CONFLICT,
                                            "/id",
                                            "road \"r1\" is needed by 5 others: rider \"r1/x0\", rider \"r1/x1\","
                                                    + " rider \"r1/x2\" and 2 more",
                                            "delete these first")));
            assertThat(bench.engine.list(roads)).hasSize(2);
            IntentRef r1 = new IntentRef(roads.name(), "r1");
            assertThat(bench.engine.referers(r1)).hasSize(5).contains(new IntentRef(riders.name(), "r1/x4"));
            await(bench.engine.withdraw(
                    riders, IntStream.range(0, 5).mapToObj(i -> "r1/x" + i).toList()));
            assertThat(bench.engine.referers(r1)).isEmpty();
            await(bench.engine.withdraw(roads, List.of("r1")));
            requireNothingRefused(bench);
        }
    }

    @Test
    void what_is_stored_without_that_which_it_refers_to_waits_for_it() {
        try (Bench bench = controller()) {
            bench.submit(road("r1", "a b"));
            submit(bench, rider("r1", "x1"));
            String stored = store.get("intents", "road/r1").orElseThrow();
            store.removeAll("intents", List.of("road/r1")); // as another controller may, which had no rider
            bench.settle();
            assertThat(status(bench, "r1/x1").problems().get(0).message()).isEqualTo("there is no road \"r1\"");
            assertThat(dataPlane.held("a")).isEmpty();
            store.put("intents", Map.of("road/r1", stored));
            bench.settle();
            assertThat(status(bench, "r1/x1").state()).isEqualTo(IntentState.INSTALLED);
            requireNothingRefused(bench);
        }
        store.removeAll("intents", List.of("road/r1"));
        dataPlane.forgetLog();
        try (Bench fresh = controller()) {
            assertThat(status(fresh, "r1/x1").problems().get(0).message()).isEqualTo("there is no road \"r1\"");
            await(fresh.engine.withdraw(riders, List.of("r1/x1")));
            assertThat(fresh.engine.list(riders)).isEmpty();
        }
    }

    @Test
    void a_restart_writes_nothing_in_whatever_order_the_kinds_come() {
        try (Bench bench = controller()) {
            bench.submit(road("r1", "a b"));
            submit(bench, rider("r1", "x1"), rider("r1", "x2"));
        }
        for (boolean first : List.of(true, false)) {
            dataPlane.forgetLog();
            try (Bench fresh = controller(first)) {
                if (!first) {
                    fresh.engine.register(riders);
                    fresh.settle();
                }
                assertThat(fresh.engine.list(riders)).hasSize(2).allMatch(one -> one.state() == IntentState.INSTALLED);
                assertThat(dataPlane.log()).isEmpty();
            }
        }
    }

    @Test
    void nobody_goes_where_the_road_is_not_yet() {
        try (Bench bench = controller()) {
            bench.submit(road("r1", "a b"));
            submit(bench, rider("r1", "x1"));
            dataPlane.disconnect("d", "away");
            bench.settle();
            bench.submit(road("r1", "a c d")); // its end cannot be written
            bench.settle();
            submit(bench, rider("r1", "x2"));
            assertThat(status(bench, "r1/x2").state()).isEqualTo(IntentState.PENDING);
            assertThat(status(bench, "r1/x2")
                            .troubles()
                            .get(0)
                            .failure()
                            .orElseThrow()
                            .reason())
                    .isEqualTo("it waits for road \"r1\", without which none is installed");
            assertThat(lanes("a")).containsExactly(2);
            dataPlane.connect("d");
            bench.settle();
            assertThat(lanes("a")).containsExactly(3);
            assertThat(bench.engine.list(riders)).hasSize(2).allMatch(one -> one.state() == IntentState.INSTALLED);
            requireNothingRefused(bench);
        }
    }

    static IntStream seeds() {
        return IntStream.range(0, 40);
    }

    /** Two controllers, links and nodes that come and go, roads and riders that come, change and go. */
    @ParameterizedTest
    @MethodSource("seeds")
    void after_any_history_no_write_was_refused_and_all_controllers_show_the_same(int seed) {
        Random random = new Random(seed);
        List<String> states;
        try (Bench first = controller();
                Bench second = controller()) {
            first.coordination.mine(
                    key -> List.of("a", "b", IntentStore.NUMBERING).contains(key));
            second.coordination.mine(key -> List.of("c", "d").contains(key));
            for (int step = 0; step < 40; step++) {
                disturb(random, random.nextBoolean() ? first : second);
                if (random.nextInt(4) == 0) {
                    settle(first, second);
                }
            }
            List.of("a", "b", "c", "d").forEach(dataPlane::connect);
            settle(first, second);
            first.audit();
            second.audit();
            settle(first, second);
            states = states(first);
            assertThat(states(second)).isEqualTo(states);
            assertThat(states).allMatch(line -> line.contains("INSTALLED") || line.contains("FAILED"));
            requireNothingRefused(first);
            requireNothingRefused(second);
        }
        dataPlane.forgetLog();
        try (Bench fresh = controller()) {
            fresh.settle();
            assertThat(states(fresh)).isEqualTo(states);
            assertThat(dataPlane.log()).isEmpty();
        }
    }

    private static void settle(Bench... benches) {
        for (int i = 0; i < 4; i++) {
            for (Bench bench : benches) {
                bench.settle();
            }
        }
    }

    private List<String> states(Bench bench) {
        List<String> states = new ArrayList<>();
        bench.engine
                .list(roads)
                .forEach(one -> states.add(one.ref() + " " + one.state() + " " + one.intent() + one.problems()));
        bench.engine
                .list(riders)
                .forEach(one -> states.add(one.ref() + " " + one.state() + " " + one.intent() + one.problems()));
        return states;
    }

    private void disturb(Random random, Bench bench) {
        String name = "r" + random.nextInt(3);
        String node = List.of("a", "b", "c", "d").get(random.nextInt(4));
        switch (random.nextInt(10)) {
            case 0 -> inventory.link("a", "c", random.nextBoolean());
            case 1 -> inventory.link("a", "b", random.nextBoolean());
            case 2 -> dataPlane.disconnect(node, "away");
            case 3 -> dataPlane.connect(node);
            case 4 -> withdraw(bench, roads, name);
            case 5 -> withdraw(bench, riders, name + "/x" + random.nextInt(6));
            case 6, 7 ->
                bench.engine.submit(
                        roads,
                        List.of(road(
                                name, List.of("a b", "a c", "a b c", "d b c").get(random.nextInt(4)))));
            default -> bench.engine.submit(riders, List.of(rider(name, "x" + random.nextInt(6))));
        }
    }

    private static void withdraw(Bench bench, IntentKind<?> kind, String id) {
        try {
            bench.engine.withdraw(kind, List.of(id));
        } catch (ProblemException e) {
            assertThat(e.problems().get(0).code()).isIn(Problem.Code.UNKNOWN, Problem.Code.CONFLICT);
        }
    }
}
