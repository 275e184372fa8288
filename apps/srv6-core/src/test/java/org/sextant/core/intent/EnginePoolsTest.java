// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sextant.core.intent.Bench.await;
import static org.sextant.core.intent.Toy.toy;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.desired.IntentStore;
import org.sextant.core.intent.desired.StoredIntent;
import org.sextant.core.intent.orphan.Orphan;
import org.sextant.core.port.StoreUnavailableException;
import org.sextant.core.table.DedupFlow;

/** Numbers that the engine allocates to intents: they are exclusive, and stay. */
@Timeout(60)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EnginePoolsTest {
    private static final Pool GROUPS = new Pool("groups", 1, 40);
    private static final Pool WINDOWS = new Pool("windows", 0, 2);

    private final FakeStore store = new FakeStore();
    private final FakeDataPlane dataPlane = new FakeDataPlane();
    private final FakeInventory inventory = new FakeInventory(Bench.square());
    private final Kind kind = new Kind();

    /** A toy with a group of its own in the network and a window of its own at its end; a second group while a-c is up. */
    static final class Kind extends Toy.Kind {
        @Override
        public String identity(Toy toy) {
            return toy.name();
        }

        @Override
        public Plan compile(NumberedIntent<Toy> intent, CompileContext context) {
            String tail = intent.intent().tail();
            boolean wide = context.network().links().stream()
                    .anyMatch(link -> link.up()
                            && link.from().node().equals("a")
                            && link.to().node().equals("c"));
            OptionalLong group = context.claim(intent, new AllocationRequest(GROUPS, 0));
            OptionalLong window = context.claim(intent, new AllocationRequest(WINDOWS, 0).at(tail));
            OptionalLong pair =
                    wide ? context.claim(intent, new AllocationRequest(GROUPS, 1).many(2)) : OptionalLong.empty();
            Plan plan = super.compile(intent, context);
            if (group.isEmpty() || window.isEmpty() || wide && pair.isEmpty()) {
                return plan.refused(List.of(new Problem(Problem.Code.UNFEASIBLE, "/path", "all are had", "wait")));
            }
            List<Plan.Placed> entries = new ArrayList<>(plan.entries());
            if (plan.feasible()) {
                entries.add(flow(tail, group.getAsLong(), window.getAsLong()));
                pair.ifPresent(first -> entries.add(flow(tail, first, 63)));
                pair.ifPresent(first -> entries.add(flow(tail, first + 1, 63)));
            }
            return new Plan(
                    entries,
                    plan.explained(),
                    plan.problems(),
                    plan.warnings(),
                    Dependence.EVERYTHING,
                    plan.passages());
        }

        private static Plan.Placed flow(String node, long id, long window) {
            return new Plan.Placed(node, new DedupFlow((int) id, (int) window));
        }

        /** The stored form of an earlier version, which allocated the numbers itself. */
        @Override
        public List<Allocation> granted(JsonNode json) {
            return json.has("group")
                    ? List.of(new Allocation("groups", 0, json.get("group").asLong(), 1))
                    : List.of();
        }
    }

    private Bench controller() {
        return controller(Bench.QUIET);
    }

    private Bench controller(EngineSettings settings) {
        Bench bench = new Bench(inventory, dataPlane, store, settings, kind);
        bench.connectAll();
        bench.start();
        return bench;
    }

    private Bench narrow() {
        inventory.link("a", "c", false);
        return controller();
    }

    private static Toy to(String name, String tail) {
        return toy(name, "fd00:" + Integer.toHexString(0x100 + name.charAt(1)) + "::/32", "a " + tail);
    }

    private static Map<String, Long> numbers(Bench bench, String id) {
        Map<String, Long> numbers = new HashMap<>();
        bench.status(id).intent().grants().forEach(grant -> numbers.put(grant.pool() + grant.use(), grant.number()));
        return numbers;
    }

    private static List<String> states(Bench bench) {
        return bench.engine.list(bench.kind).stream()
                .map(status -> status.id() + " " + status.state() + " "
                        + status.intent().grants())
                .toList();
    }

    private static void settle(Bench... benches) {
        for (int i = 0; i < 4; i++) {
            for (Bench bench : benches) {
                bench.settle();
            }
        }
    }

    @Test
    void numbers_are_given_in_turn_and_windows_twice_only_when_there_is_no_other() {
        try (Bench bench = narrow()) {
            bench.submit(to("p1", "b"), to("p2", "b"), to("p3", "d"), to("p4", "d"));
            assertThat(numbers(bench, "p1")).isEqualTo(Map.of("groups0", 1L, "windows0", 0L));
            assertThat(numbers(bench, "p2")).isEqualTo(Map.of("groups0", 2L, "windows0", 1L));
            assertThat(numbers(bench, "p3")).isEqualTo(Map.of("groups0", 3L, "windows0", 2L));
            assertThat(numbers(bench, "p4"))
                    .as("the window of p1, which ends elsewhere")
                    .containsEntry("windows0", 0L);
            assertThat(dataPlane.held("b").values()).contains(new DedupFlow(1, 0), new DedupFlow(2, 1));
            await(bench.engine.withdraw(kind, List.of("p1", "p2")));
            bench.submit(to("p5", "b"));
            assertThat(numbers(bench, "p5")).isEqualTo(Map.of("groups0", 5L, "windows0", 1L));
        }
    }

    @Test
    void a_restart_changes_no_number_and_writes_nothing() {
        List<String> before;
        try (Bench bench = controller()) {
            bench.submit(to("p1", "b"), to("p2", "d"));
            await(bench.engine.withdraw(kind, List.of("p1")));
            bench.submit(to("p3", "d"), to("p1", "b"));
            before = states(bench);
        }
        dataPlane.forgetLog();
        int writes = store.writes();
        try (Bench after = controller()) {
            assertThat(states(after)).isEqualTo(before).hasSize(3);
            assertThat(dataPlane.log()).isEmpty();
            assertThat(store.writes()).isEqualTo(writes);
            after.submit(to("p4", "c"));
            assertThat(numbers(after, "p4")).as("in turn, also over a restart").containsEntry("groups0", 13L);
        }
    }

    @Test
    void one_that_waits_for_a_number_waits_on_if_a_change_of_it_is_refused() {
        inventory.link("a", "c", false);
        try (Bench bench = controller(Bench.QUIET.withRetryDelay(Duration.ofMillis(20)))) {
            bench.submit(to("p1", "b"));
            store.faults(() -> Optional.of(FakeStore.Fault.REFUSED));
            inventory.link("a", "c", true);
            bench.settle();
            assertThat(bench.status("p1").problems()).hasSize(1);
            assertThatThrownBy(() -> bench.submit(to("p1", "d"))).isInstanceOf(StoreUnavailableException.class);
            store.faults(Optional::empty);
            long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
            while (!numbers(bench, "p1").containsKey("groups1") && System.nanoTime() < end) {
                bench.settle();
            }
            assertThat(numbers(bench, "p1")).containsKey("groups1");
            bench.settle();
            assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
        }
    }

    @Test
    void a_dry_run_says_what_would_be_given_and_takes_nothing() {
        try (Bench bench = controller()) {
            for (int i = 0; i < 2; i++) {
                assertThat(bench.engine.dryRun(kind, to("p1", "b")).intent().grants())
                        .containsExactly(
                                new Allocation("groups", 0, 1, 1),
                                new Allocation("windows", 0, 0, 1),
                                new Allocation("groups", 1, 2, 2));
            }
            bench.submit(to("p1", "b"));
            assertThat(bench.status("p1").intent().grants())
                    .isEqualTo(bench.engine.dryRun(kind, to("p1", "b")).intent().grants());
            assertThat(numbers(bench, "p1")).isEqualTo(Map.of("groups0", 1L, "windows0", 0L, "groups1", 2L));
        }
    }

    @Test
    void what_a_node_may_still_have_is_not_given_again_not_even_after_a_restart() {
        try (Bench bench = narrow()) {
            bench.submit(to("p1", "b"), to("p2", "b"));
            dataPlane.disconnect("b", "gone");
            bench.settle();
            await(bench.engine.withdraw(kind, List.of("p1", "p2")));
        }
        store.removeAll("pools", List.of("groups", "windows")); // so that not the turn alone keeps them apart
        try (Bench after = new Bench(inventory, dataPlane, store, Bench.QUIET, kind)) {
            after.start();
            after.submit(to("p3", "d"), to("p4", "b"));
            assertThat(numbers(after, "p3")).isEqualTo(Map.of("groups0", 3L, "windows0", 2L));
            assertThat(numbers(after, "p4"))
                    .as("the only window that nobody had at b")
                    .isEqualTo(Map.of("groups0", 4L, "windows0", 2L));
            Submission<Toy> none = after.engine.submit(kind, List.of(to("p5", "b")));
            assertThat(none.outcomes().get(0).problems())
                    .extracting(Problem::message)
                    .containsExactly("all are had");
            dataPlane.connect("b");
            after.settle();
            after.submit(to("p5", "b"));
            assertThat(after.status("p5").state()).isEqualTo(IntentState.INSTALLED);
        }
    }

    @Test
    void of_two_that_were_given_the_same_at_once_the_older_keeps_it_on_all_controllers() {
        for (boolean olderFirst : new boolean[] {true, false}) {
            store.removeAll("intents", List.copyOf(store.all("intents").keySet()));
            try (Bench first = narrow();
                    Bench second = controller()) {
                first.coordination.mine(key -> List.of("a", "b").contains(key));
                second.coordination.mine(
                        key -> List.of("c", "d", IntentStore.NUMBERING).contains(key));
                List<String> order = olderFirst ? List.of("p1", "p2") : List.of("p2", "p1");
                for (String name : order) {
                    put(
                            to(name, "b"),
                            name.equals("p1") ? 1 : 2,
                            new Allocation("groups", 0, 7, 1),
                            new Allocation("windows", 0, 1, 1));
                    settle(first, second);
                }
                assertThat(states(first)).isEqualTo(states(second)).allMatch(line -> line.contains("INSTALLED"));
                assertThat(numbers(first, "p1")).isEqualTo(Map.of("groups0", 7L, "windows0", 1L));
                assertThat(numbers(first, "p2").get("groups0")).isNotEqualTo(7L);
                assertThat(numbers(first, "p2").get("windows0")).isNotEqualTo(1L);
                settle(first, second);
                int writes = store.writes();
                settle(first, second);
                assertThat(store.writes()).as("once it is settled").isEqualTo(writes);
            }
        }
    }

    private void put(Toy toy, int number, Allocation... grants) {
        IntentRef ref = new IntentRef("toy", toy.name());
        String text = StoredIntent.encode(ref, number, kind.encode(toy), List.of(grants));
        store.put("intents", Map.of(ref.toString(), text));
    }

    @Test
    void while_the_controller_that_settles_is_away_the_younger_is_not_installed_and_whoever_takes_over_settles() {
        try (Bench bench = narrow()) {
            bench.coordination.mine(key -> !key.equals(IntentStore.NUMBERING));
            put(to("p1", "b"), 1, new Allocation("groups", 0, 7, 1), new Allocation("windows", 0, 1, 1));
            put(to("p2", "d"), 2, new Allocation("groups", 0, 7, 1), new Allocation("windows", 0, 1, 1));
            settle(bench);
            assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
            assertThat(bench.status("p2").state()).isEqualTo(IntentState.FAILED);
            assertThat(bench.status("p2").problems().get(0).message()).contains("needs a number");
            assertThat(dataPlane.held("d")).isEmpty();
            bench.coordination.mine(key -> true);
            settle(bench);
            assertThat(bench.status("p2").state()).isEqualTo(IntentState.INSTALLED);
            assertThat(numbers(bench, "p2")).as("its window is its own at d").containsEntry("windows0", 1L);
        }
    }

    @Test
    void what_an_intent_needs_more_when_the_network_changes_it_gets_and_keeps() {
        try (Bench bench = narrow()) {
            bench.submit(to("p1", "b"), to("p2", "d"));
            inventory.link("a", "c", true);
            bench.settle();
            assertThat(numbers(bench, "p1")).containsEntry("groups0", 1L).containsEntry("groups1", 3L);
            assertThat(numbers(bench, "p2")).containsEntry("groups0", 2L).containsEntry("groups1", 5L);
            inventory.link("a", "c", false);
            bench.settle();
            inventory.link("a", "c", true);
            bench.settle();
            assertThat(numbers(bench, "p2")).as("as before").containsEntry("groups1", 5L);
            assertThat(states(bench)).allMatch(line -> line.contains("INSTALLED"));
        }
    }

    @Test
    void numbers_that_cannot_be_stored_are_not_used_and_come_when_the_store_answers() {
        inventory.link("a", "c", false);
        try (Bench bench = controller(Bench.QUIET.withRetryDelay(Duration.ofMillis(5)))) {
            bench.submit(to("p1", "b"));
            store.failWith(new StoreUnavailableException("away"));
            inventory.link("a", "c", true);
            bench.settle();
            assertThat(bench.status("p1").state()).isEqualTo(IntentState.FAILED);
            assertThat(numbers(bench, "p1")).containsOnlyKeys("groups0", "windows0");
            store.failWith(null);
            while (bench.status("p1").state() != IntentState.INSTALLED) {
                bench.settle();
            }
            assertThat(numbers(bench, "p1")).containsKey("groups1");
        }
    }

    @Test
    void an_intent_for_which_there_was_no_number_comes_back_when_one_is_free() {
        try (Bench bench = narrow()) {
            bench.submit(to("p1", "b"), to("p2", "b"), to("p3", "b"));
            put(to("p4", "b"), 9, new Allocation("groups", 0, 30, 1), new Allocation("windows", 0, 0, 1));
            settle(bench);
            assertThat(bench.status("p4").state()).isEqualTo(IntentState.FAILED);
            assertThat(bench.status("p4").problems().get(0).message()).isEqualTo("all are had");
            await(bench.engine.withdraw(kind, List.of("p2")));
            settle(bench);
            assertThat(bench.status("p4").state()).isEqualTo(IntentState.INSTALLED);
            assertThat(numbers(bench, "p4")).isEqualTo(Map.of("groups0", 30L, "windows0", 1L));
        }
    }

    @Test
    void what_an_earlier_version_gave_by_itself_stays() {
        IntentRef ref = new IntentRef("toy", "p1");
        store.put(
                "intents",
                Map.of(
                        ref.toString(),
                        StoredIntent.encode(ref, 1, kind.encode(to("p1", "b")).put("group", 17))));
        try (Bench bench = narrow()) {
            assertThat(numbers(bench, "p1")).isEqualTo(Map.of("groups0", 17L, "windows0", 0L));
            bench.submit(to("p2", "b"));
            assertThat(numbers(bench, "p2")).as("behind what is had").containsEntry("groups0", 18L);
        }
    }

    @Test
    void nobody_gets_what_a_stored_intent_has_whose_kind_is_not_there() {
        put(toy("p9", "fd00:9::/32", "a b"), 1, new Allocation("groups", 0, 1, 2), new Allocation("windows", 0, 1, 1));
        String text = store.get("intents", "toy/p9").orElseThrow().replace("\"toy\"", "\"other\"");
        store.removeAll("intents", List.of("toy/p9"));
        store.put("intents", Map.of("other/p9", text));
        store.put("pools", Map.of("groups", "1", "windows", "1"));
        try (Bench bench = narrow()) {
            bench.submit(to("p1", "b"));
            assertThat(numbers(bench, "p1")).isEqualTo(Map.of("groups0", 3L, "windows0", 2L));
        }
    }

    @Test
    void a_pool_gives_every_intent_numbers_of_its_own_and_shares_those_behind() {
        Pool lists = new Pool("lists", 0, 0xffff_ffffL, 4);
        assertThat(lists.own(new NumberedIntent<>("p", 1, ""), 0)).isEqualTo(4);
        assertThat(lists.own(new NumberedIntent<>("p", 1 << 27, ""), 3))
                .isEqualTo((4L << 27) + 3)
                .isLessThan(lists.firstShared());
        assertThat(lists.useOf(4 * 77 + 3)).isEqualTo(3);
    }

    static IntStream seeds() {
        return IntStream.range(0, 60);
    }

    /**
     * Two controllers, nodes that disconnect and return, intents that are added, changed and removed at both: no two
     * intents ever share a number.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void after_any_history_nobody_has_what_another_has_and_a_fresh_start_finds_the_same(int seed) {
        Random random = new Random(seed);
        List<String> states;
        try (Bench first = controller();
                Bench second = controller()) {
            first.coordination.mine(
                    key -> List.of("a", "b", IntentStore.NUMBERING).contains(key));
            second.coordination.mine(key -> List.of("c", "d").contains(key));
            for (int step = 0; step < 30; step++) {
                disturb(random, random.nextBoolean() ? first : second);
                if (random.nextInt(4) == 0) {
                    settle(first, second);
                    requireApart(first);
                }
            }
            List.of("a", "b", "c", "d").forEach(dataPlane::connect);
            settle(first, second);
            first.audit();
            second.audit();
            settle(first, second);
            states = states(first);
            assertThat(states(second)).isEqualTo(states);
            requireApart(first);
        }
        Map<String, String> stored = store.all("intents");
        try (Bench fresh = controller()) {
            settle(fresh);
            assertThat(states(fresh)).isEqualTo(states);
            assertThat(store.all("intents")).isEqualTo(stored);
        }
    }

    private void disturb(Random random, Bench bench) {
        String name = "p" + random.nextInt(6);
        String node = List.of("a", "b", "c", "d").get(random.nextInt(4));
        String tail = List.of("b", "d").get(random.nextInt(2));
        switch (random.nextInt(9)) {
            case 0 -> inventory.link("a", "c", random.nextBoolean());
            case 1 -> inventory.link("a", "b", random.nextBoolean());
            case 2 -> dataPlane.disconnect(node, "away");
            case 3 -> dataPlane.connect(node);
            case 4, 5 -> {
                if (bench.engine
                        .get(kind, name)
                        .filter(one -> one.state() != IntentState.REMOVING)
                        .isPresent()) {
                    withdraw(bench, name);
                }
            }
            default -> bench.engine.submit(kind, List.of(to(name, tail)));
        }
    }

    private void withdraw(Bench bench, String name) {
        try {
            bench.engine.withdraw(kind, List.of(name));
        } catch (ProblemException e) {
            assertThat(e.problems())
                    .as("the other controller was faster")
                    .extracting(Problem::code)
                    .containsExactly(Problem.Code.UNKNOWN);
        }
    }

    /**
     * Checks the intents that are to be installed; none has a number that a node may still hold for an older, deleted
     * one.
     */
    private void requireApart(Bench bench) {
        Map<String, IntentStatus<Toy>> had = new HashMap<>();
        bench.engine.list(kind).stream()
                .filter(status ->
                        status.state() != IntentState.REMOVING && status.plan().feasible())
                .forEach(status -> places(status)
                        .forEach(place -> assertThat(had.put(place, status))
                                .as(place + " in " + states(bench))
                                .isNull()));
        store.all("leftovers").forEach((key, text) -> {
            Orphan left = Orphan.parse(key, text);
            left.numbers().stream()
                    .flatMap(one -> IntStream.range(0, one.many())
                            .mapToObj(i -> one.pool() + " " + (one.first() + i)
                                    + (one.everywhere() ? "" : " at " + left.node())))
                    .filter(had::containsKey)
                    .map(had::get)
                    .forEach(now -> assertThat(now.intent().number())
                            .as("older than " + key + ", or itself: " + states(bench))
                            .isLessThanOrEqualTo(left.number()));
        });
    }

    private static Stream<String> places(IntentStatus<Toy> status) {
        return status.intent().grants().stream()
                .flatMap(grant -> IntStream.range(0, grant.many())
                        .mapToObj(i -> grant.pool() + " " + (grant.number() + i)
                                + (grant.pool().equals("windows")
                                        ? " at " + status.intent().intent().tail()
                                        : "")));
    }
}
