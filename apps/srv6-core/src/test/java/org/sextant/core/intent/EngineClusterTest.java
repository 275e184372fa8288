// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sextant.core.intent.Bench.await;
import static org.sextant.core.intent.Toy.toy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.desired.IntentStore;
import org.sextant.core.intent.desired.StoredIntent;
import org.sextant.core.intent.install.EntryReports;
import org.sextant.core.port.DataPlane.Code;

/** Two controllers over one store; the first handles a and b, the second c and d. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class EngineClusterTest {
    private static final Toy ACROSS = toy("p1", "fd00:1::/64", "a d");

    private final FakeInventory inventory = new FakeInventory(Bench.square());
    private final FakeDataPlane dataPlane = new FakeDataPlane();
    private final FakeStore store = new FakeStore();
    private final Bench first = new Bench(inventory, dataPlane, store, Bench.QUIET, new Toy.Kind());
    private final Bench second = new Bench(inventory, dataPlane, store, Bench.QUIET, new Toy.Kind());

    @BeforeEach
    void start() {
        first.coordination.mine(key -> List.of("a", "b", IntentStore.NUMBERING).contains(key));
        second.coordination.mine(key -> List.of("c", "d").contains(key));
        first.connectAll();
        first.start();
        second.start();
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
    }

    @Test
    void each_writes_its_own_nodes_only() {
        first.submit(ACROSS);
        first.settle();
        second.settle();
        assertThat(dataPlane.held("a").values()).containsExactlyInAnyOrder(ACROSS.list(1), ACROSS.steering(1));
        assertThat(dataPlane.held("d").values()).containsExactly(Toy.sid(1));
        assertThat(dataPlane.log()).hasSize(3).allMatch(FakeDataPlane.Done::ok);
        assertThat(second.status("p1").state()).isEqualTo(IntentState.INSTALLED);
        assertThat(second.status("p1").intent().number()).isEqualTo(1);
    }

    @Test
    void a_controller_hears_that_the_others_node_has_its_entries() {
        first.submit(ACROSS);
        assertThat(dataPlane.held("d").values()).containsExactly(Toy.sid(1));
        assertThat(first.status("p1").state()).isEqualTo(IntentState.INSTALLED);
        assertThat(first.engine.entries(EntryFilter.ofNode("d")))
                .singleElement()
                .satisfies(entry -> assertThat(entry.state()).isEqualTo(EntryState.INSTALLED));
    }

    @Test
    void what_is_told_while_the_store_does_not_answer_is_followed_when_it_does() {
        first.submit(ACROSS);
        String other = store.get(StoredIntent.MAP, "toy/p1")
                .orElseThrow()
                .replace("p1", "p2")
                .replace("fd00:1::/64", "fd00:2::/64")
                .replace("\"number\":1", "\"number\":2");
        try (Bench third = new Bench(
                inventory, dataPlane, store, Bench.QUIET.withRetryDelay(Duration.ofMillis(1)), new Toy.Kind())) {
            third.coordination.mine(key -> false);
            third.start();
            store.failReads(5); // one each for the other two controllers
            store.put(StoredIntent.MAP, Map.of("toy/p2", other));
            while (third.engine.get(third.kind, "p2").isEmpty()) {
                third.settle();
            }
        }
    }

    @Test
    void of_two_controllers_that_change_an_intent_at_the_same_moment_the_second_is_told() {
        first.submit(ACROSS);
        second.settle();
        String elsewhere = changed("a b d");
        store.meanwhile(StoredIntent.MAP, "toy/p1", elsewhere);
        assertThat(second.submit(toy("p1", "fd00:1::/64", "a c d")).outcomes())
                .singleElement()
                .satisfies(EngineClusterTest::wasChangedMeanwhile);
        assertThat(store.get(StoredIntent.MAP, "toy/p1")).contains(elsewhere);
        assertThat(second.status("p1").intent().intent()).isEqualTo(ACROSS);
    }

    @Test
    void who_has_not_heard_yet_what_the_store_has_changes_nothing() {
        first.submit(ACROSS);
        second.settle();
        String elsewhere = changed("a b d");
        store.unheard(StoredIntent.MAP, "toy/p1", elsewhere);
        Toy other = toy("p2", "fd00:2::/64", "a d");
        List<Submission.Outcome<Toy>> outcomes =
                second.submit(toy("p1", "fd00:1::/64", "a c d"), other).outcomes();
        assertThat(outcomes.get(0)).satisfies(EngineClusterTest::wasChangedMeanwhile);
        assertThat(outcomes.get(1).problems()).isEmpty();
        assertThat(store.get(StoredIntent.MAP, "toy/p1")).contains(elsewhere);
    }

    @Test
    void of_two_controllers_that_add_an_intent_of_the_same_name_the_second_is_told() {
        first.submit(ACROSS);
        String elsewhere = store.get(StoredIntent.MAP, "toy/p1").orElseThrow().replace("p1", "p2");
        store.meanwhile(StoredIntent.MAP, "toy/p2", elsewhere);
        assertThat(second.submit(toy("p2", "fd00:2::/64", "a c d")).outcomes())
                .singleElement()
                .satisfies(EngineClusterTest::wasChangedMeanwhile);
        assertThat(store.get(StoredIntent.MAP, "toy/p2")).contains(elsewhere);
        assertThat(second.engine.get(second.kind, "p2")).isEmpty();
    }

    @Test
    void who_says_what_it_must_be_never_writes_over_what_another_controller_has_made_of_it() {
        first.submit(ACROSS);
        second.settle();
        Precondition seen = Precondition.match(Precondition.Tags.of(Precondition.tag(second.kind.encode(ACROSS))));
        String elsewhere = changed("a b d");
        store.meanwhile(StoredIntent.MAP, "toy/p1", elsewhere);
        assertThat(second.engine
                        .submit(second.kind, List.of(toy("p1", "fd00:1::/64", "a c d")), seen)
                        .outcomes())
                .singleElement()
                .satisfies(EngineClusterTest::isNotAsItWas);
        assertThatThrownBy(() -> second.engine.withdraw(second.kind, List.of("p1"), seen))
                .isInstanceOfSatisfying(ProblemException.class, EngineClusterTest::isNotAsItWas);
        assertThat(store.get(StoredIntent.MAP, "toy/p1")).contains(elsewhere);
    }

    @Test
    void one_that_another_controller_changes_while_it_is_removed_stays() {
        first.submit(ACROSS);
        second.settle();
        Precondition seen = Precondition.match(Precondition.Tags.of(Precondition.tag(second.kind.encode(ACROSS))));
        String elsewhere = changed("a b d");
        store.meanwhile(StoredIntent.MAP, "toy/p1", elsewhere);
        assertThatThrownBy(() -> second.engine.withdraw(second.kind, List.of("p1"), seen))
                .isInstanceOfSatisfying(ProblemException.class, EngineClusterTest::isNotAsItWas);
        assertThat(store.get(StoredIntent.MAP, "toy/p1")).contains(elsewhere);
        first.settle();
        second.settle();
        assertThat(second.status("p1").state()).isEqualTo(IntentState.INSTALLED);
    }

    private static void isNotAsItWas(Submission.Outcome<Toy> outcome) {
        assertThat(outcome.problems()).singleElement().satisfies(EngineClusterTest::isNotAsItWas);
    }

    private static void isNotAsItWas(ProblemException thrown) {
        assertThat(thrown.problems()).singleElement().satisfies(EngineClusterTest::isNotAsItWas);
    }

    private static void isNotAsItWas(Problem problem) {
        assertThat(problem.code()).isEqualTo(Problem.Code.PRECONDITION);
        assertThat(problem.message()).isEqualTo("another controller has changed it at the same moment");
    }

    /** The stored p1, with another path. */
    private String changed(String path) {
        return store.get(StoredIntent.MAP, "toy/p1").orElseThrow().replace("\"a d\"", "\"" + path + "\"");
    }

    private static void wasChangedMeanwhile(Submission.Outcome<Toy> outcome) {
        assertThat(outcome.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(Problem.Code.CONFLICT);
            assertThat(problem.message()).contains("another controller has changed it");
        });
    }

    @Test
    void while_nobody_handles_a_node_nobody_claims_that_its_entries_are_installed() {
        second.coordination.mine(key -> false);
        second.settle();
        first.submit(ACROSS);
        for (Bench bench : List.of(first, second)) {
            bench.settle();
            assertThat(bench.status("p1").state()).isEqualTo(IntentState.PENDING);
            assertThat(bench.status("p1").troubles())
                    .filteredOn(entry -> entry.node().equals("d"))
                    .singleElement()
                    .satisfies(entry -> assertThat(entry.failure().orElseThrow().reason())
                            .contains("another controller handles it"));
        }
        first.coordination.mine(key -> true);
        first.settle();
        second.settle();
        assertThat(first.status("p1").state()).isEqualTo(IntentState.INSTALLED);
        assertThat(second.status("p1").state()).isEqualTo(IntentState.INSTALLED);
    }

    @Test
    void what_a_node_refuses_all_controllers_tell() {
        dataPlane.refuse("d", update -> true, Code.RESOURCE_EXHAUSTED, "its table is full");
        first.submit(ACROSS);
        second.settle();
        first.settle();
        for (Bench bench : List.of(first, second)) {
            assertThat(bench.status("p1").state()).isNotEqualTo(IntentState.INSTALLED);
            assertThat(bench.status("p1").troubles()).anySatisfy(entry -> {
                assertThat(entry.node()).isEqualTo("d");
                assertThat(entry.failure().orElseThrow().reason()).isEqualTo("its table is full");
            });
        }
        dataPlane.obey("d");
        second.audit();
        second.settle();
        first.settle(); // which waited for the report, and reports now
        second.settle();
        assertThat(first.status("p1").state()).isEqualTo(IntentState.INSTALLED);
        assertThat(second.status("p1").state()).isEqualTo(IntentState.INSTALLED);
    }

    @Test
    void what_was_told_of_an_intent_goes_with_it() {
        first.submit(ACROSS);
        first.settle();
        second.settle();
        assertThat(store.all(EntryReports.MAP)).containsOnlyKeys("toy/p1@a", "toy/p1@d");
        await(first.engine.withdraw(first.kind, List.of("p1")));
        first.settle();
        second.settle();
        assertThat(store.all(EntryReports.MAP)).isEmpty();
    }

    @Test
    void what_a_dead_controller_told_of_an_intent_that_is_gone_is_tidied_up() {
        store.put(
                EntryReports.MAP,
                Map.of("toy/p9@d", "{\"plan\":\"0\",\"state\":\"INSTALLED\"}", "toy/p8@d", "not JSON"));
        first.settle();
        first.audit();
        first.settle();
        assertThat(store.all(EntryReports.MAP)).doesNotContainKey("toy/p9@d");
    }

    @Test
    void what_is_withdrawn_while_its_nodes_controller_is_dead_goes_when_another_takes_over() {
        first.submit(ACROSS);
        second.close();
        Bench third = new Bench(
                inventory, dataPlane, store, Bench.QUIET.withAdoptionGrace(Duration.ofHours(1)), new Toy.Kind());
        try {
            third.coordination.mine(key -> false);
            third.start();
            await(third.engine.withdraw(third.kind, List.of("p1")));
            assertThat(dataPlane.held("d").values()).containsExactly(Toy.sid(1));
            third.coordination.mine(key -> true);
            third.settle();
            assertThat(dataPlane.held("d")).isEmpty();
        } finally {
            third.close();
        }
    }

    @Test
    void a_node_that_became_a_controllers_own_unheard_is_found_at_an_audit() {
        Bench third = new Bench(
                inventory, dataPlane, store, Bench.QUIET.withAuditInterval(Duration.ofMillis(50)), new Toy.Kind());
        CompletableFuture<Void> found = new CompletableFuture<>();
        try {
            third.coordination.mine(key -> false);
            third.start();
            third.engine.listen(event -> {
                if (event instanceof EngineEvent.NodeChanged changed
                        && changed.node().state() == NodeStatus.State.SYNCED) {
                    found.complete(null);
                }
            });
            third.coordination.secretly(key -> key.equals("d"));
            await(found);
        } finally {
            third.close();
        }
    }

    @Test
    void a_number_is_free_again_when_other_controllers_had_time_to_remove_what_had_it() {
        first.submit(ACROSS);
        second.settle();
        await(first.engine.withdraw(first.kind, List.of("p1")));
        first.settle();
        second.settle();
        for (int i = 0; i < 2; i++) {
            first.audit();
        }
        first.submit(toy("p2", "fd00:2::/64", "a d"));
        assertThat(first.status("p2").intent().number()).isEqualTo(1);
    }

    @Test
    void a_node_that_went_to_another_controller_shows_no_rows() {
        first.submit(ACROSS);
        first.coordination.mine(key -> false);
        first.settle();
        assertThat(first.engine.nodes())
                .allSatisfy(node -> assertThat(node.entries()).isZero());
    }

    @Test
    void either_may_withdraw() {
        first.submit(ACROSS);
        second.settle();
        await(second.engine.withdraw(second.kind, List.of("p1")));
        second.settle(); // it revokes its pending removals
        first.settle();
        assertThat(dataPlane.held("a")).isEmpty();
        assertThat(dataPlane.held("d")).isEmpty();
        assertThat(first.engine.list(first.kind)).isEmpty();
    }

    @Test
    void either_may_change() {
        first.submit(ACROSS);
        second.settle();
        second.submit(toy("p1", "fd00:1::/64", "a c"));
        first.settle();
        assertThat(dataPlane.held("a").values())
                .contains(toy("p1", "fd00:1::/64", "a c").list(1));
        assertThat(dataPlane.held("d")).isEmpty();
        assertThat(dataPlane.held("c").values()).containsExactly(Toy.sid(1));
    }

    @Test
    void a_controller_takes_over_anothers_nodes_without_rewriting_them() {
        first.submit(ACROSS);
        second.settle();
        dataPlane.forgetLog();
        second.coordination.mine(key -> false);
        first.coordination.mine(key -> true);
        first.settle();
        second.settle();
        assertThat(dataPlane.batches()).isEmpty();
        dataPlane.erase("d", Toy.sid(1).key());
        assertThat(first.audit().repairs()).isEqualTo(1);
        assertThat(dataPlane.held("d").values()).containsExactly(Toy.sid(1));
    }

    @Test
    void of_two_intents_with_one_number_one_gets_another() {
        first.submit(toy("p1", "fd00:1::/64", "a b"));
        second.settle();
        Toy rival = toy("p0", "fd00:2::/64", "a b");
        store.put(
                "intents",
                Map.of("toy/p0", StoredIntent.encode(new IntentRef("toy", "p0"), 1, new Toy.Kind().encode(rival))));
        first.settle();
        second.settle();
        for (Bench bench : List.of(first, second)) {
            assertThat(bench.status("p0").intent().number()).isEqualTo(1);
            assertThat(bench.status("p1").intent().number()).isEqualTo(2);
        }
        assertThat(dataPlane.held("b").values()).containsExactlyInAnyOrder(Toy.sid(1), Toy.sid(2));
        assertThat(first.engine.list(first.kind)).allMatch(status -> status.state() == IntentState.INSTALLED);
    }

    @Test
    void an_intent_that_fails_as_before_is_shown_as_another_controller_changed_it() {
        first.submit(toy("p1", "fd00:1::/64", "a b"));
        inventory.link("a", "b", false);
        first.settle();
        assertThat(first.status("p1").state()).isEqualTo(IntentState.FAILED);
        Toy changed = toy("p1", "fd00:2::/64", "a b");
        store.put(
                "intents",
                Map.of("toy/p1", StoredIntent.encode(new IntentRef("toy", "p1"), 1, new Toy.Kind().encode(changed))));
        first.settle();
        assertThat(first.status("p1").intent().intent()).isEqualTo(changed);
    }

    @Test
    void who_takes_over_settles_the_numbers_that_the_dead_controller_left() {
        first.coordination.mine(key -> false);
        first.submit(toy("p1", "fd00:1::/64", "a b"));
        Toy rival = toy("p0", "fd00:2::/64", "a b");
        store.put(
                "intents",
                Map.of("toy/p0", StoredIntent.encode(new IntentRef("toy", "p0"), 1, new Toy.Kind().encode(rival))));
        second.settle();
        assertThat(second.status("p1").intent().number()).isEqualTo(1);
        second.coordination.mine(key -> true);
        second.settle();
        assertThat(second.status("p0").intent().number()).isEqualTo(1);
        assertThat(second.status("p1").intent().number()).isEqualTo(2);
    }

    /** Both controllers wrote the intent: the new number is not lost. */
    @Test
    void an_intent_that_is_changed_by_one_while_another_gives_it_a_number_gets_one_of_its_own() {
        first.submit(toy("p0", "fd00:1::/64", "a b"));
        second.settle();
        Toy.Kind kind = new Toy.Kind();
        IntentRef ref = new IntentRef("toy", "p1");
        AtomicInteger seen = new AtomicInteger();
        store.onChange("intents", change -> {
            if (change.key().equals("toy/p1") && seen.incrementAndGet() == 2) { // the new number
                store.put(
                        "intents",
                        Map.of("toy/p1", StoredIntent.encode(ref, 1, kind.encode(toy("p1", "fd00:2::/64", "a d")))));
            }
        });
        store.put(
                "intents", Map.of("toy/p1", StoredIntent.encode(ref, 1, kind.encode(toy("p1", "fd00:2::/64", "a c")))));
        for (int i = 0; i < 3; i++) {
            first.settle();
            second.settle();
        }
        assertThat(first.status("p1").intent().number()).isGreaterThan(1);
        assertThat(first.status("p1").intent().intent().tail()).isEqualTo("d");
        assertThat(second.status("p1").intent()).isEqualTo(first.status("p1").intent());
    }

    @Test
    void a_conflict_that_comes_with_the_store_fails_the_later_one_until_the_owner_goes() {
        Toy.Kind rivals = new Toy.Kind("rival");
        first.engine.register(rivals);
        first.submit(toy("p1", "fd00:1::/64", "a b"));
        store.put(
                "intents",
                Map.of(
                        "rival/r1",
                        StoredIntent.encode(
                                new IntentRef("rival", "r1"), 2, rivals.encode(toy("r1", "fd00:1::/64", "a b")))));
        first.settle();
        assertThat(first.engine.get(rivals, "r1").orElseThrow()).satisfies(status -> {
            assertThat(status.state()).isEqualTo(IntentState.FAILED);
            assertThat(status.problems()).extracting(Problem::code).containsExactly(Problem.Code.CONFLICT);
        });
        await(first.engine.withdraw(first.kind, List.of("p1")));
        first.settle();
        assertThat(first.engine.get(rivals, "r1").orElseThrow().state()).isEqualTo(IntentState.INSTALLED);
        assertThat(dataPlane.held("a").values())
                .contains(toy("", "fd00:1::/64", "a b").steering(2));
    }
}
