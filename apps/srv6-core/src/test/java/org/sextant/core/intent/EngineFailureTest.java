// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.core.intent.Bench.await;
import static org.sextant.core.intent.Toy.toy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Steering;

/** Nodes that refuse, disconnect at any moment, or are absent: nothing is half-installed and nothing is lost. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EngineFailureTest {
    private static final Toy P1 = toy("p1", "fd00:1::/64", "a b");
    private static final Toy P1_OVER_C = toy("p1", "fd00:1::/64", "a c");
    private static final Toy P2 = toy("p2", "fd00:2::/64", "a d");

    private final Bench bench = Bench.started();

    @AfterEach
    void close() {
        bench.close();
    }

    @ParameterizedTest
    @CsvSource({"a, sid_list", "b, my_sid", "a, steering_v6"})
    void one_refused_entry_undoes_the_intent_and_no_other(String node, String table) {
        bench.dataPlane.refuse(node, in(table).and(number(1)), Code.RESOURCE_EXHAUSTED, "table full");
        bench.submit(P1, P2);
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.FAILED);
        assertThat(bench.status("p2").state()).isEqualTo(IntentState.INSTALLED);
        assertThat(bench.dataPlane.held("b")).isEmpty();
        assertThat(bench.dataPlane.held("a").values()).containsExactlyInAnyOrder(P2.list(2), P2.steering(2));
        assertThat(bench.store.all("intents")).containsOnlyKeys("toy/p1", "toy/p2");
    }

    @Test
    void ingress_is_not_written_when_what_it_leads_to_was_refused() {
        bench.dataPlane.refuse("b", in("my_sid"), Code.UNIMPLEMENTED, "no udt6 here");
        bench.submit(P1);
        assertThat(bench.log()).noneMatch(line -> line.contains("steering"));
    }

    @Test
    void every_entry_of_a_failed_intent_says_why_it_is_not_installed() {
        bench.dataPlane.refuse("b", in("my_sid"), Code.UNIMPLEMENTED, "no udt6 here");
        bench.submit(P1);
        assertThat(bench.engine.entries(EntryFilter.ofNode("b")))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.state()).isEqualTo(EntryState.FAILED);
                    assertThat(entry.failure()).contains(new DataPlane.Failure(Code.UNIMPLEMENTED, "no udt6 here"));
                });
        assertThat(bench.engine.entries(EntryFilter.ofNode("a"))).hasSize(2).allSatisfy(entry -> {
            assertThat(entry.state()).isEqualTo(EntryState.PENDING);
            assertThat(entry.failure().orElseThrow().reason()).contains("node b refused my_sid fcbb:bbbb:0:1::/64");
        });
        assertThat(bench.status("p1").troubles()).hasSize(3);
    }

    @Test
    void a_refused_intent_is_tried_again_at_an_audit() {
        bench.dataPlane.refuse("b", in("my_sid"), Code.RESOURCE_EXHAUSTED, "table full");
        bench.submit(P1);
        bench.dataPlane.obey("b");
        bench.audit();
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
        assertThat(bench.status("p1").troubles()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"a, 0", "b, 0", "a, 1"})
    void a_node_that_dies_between_the_first_and_the_last_entry_leaves_nothing_behind(String node, int updates) {
        bench.dataPlane.loseAfter(node, updates);
        bench.submit(P1, P2);
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.PENDING);
        String other = node.equals("a") ? "b" : "a";
        assertThat(bench.dataPlane.held(other).values()).doesNotContain(P1.list(1), P1.steering(1), Toy.sid(1));
        assertThat(bench.status("p1").troubles())
                .filteredOn(entry -> entry.node().equals(node))
                .allSatisfy(entry ->
                        assertThat(entry.failure().orElseThrow().reason()).contains(node + " does not answer since "));

        bench.dataPlane.connect(node);
        bench.settle();
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
        assertThat(bench.status("p2").state()).isEqualTo(IntentState.INSTALLED);
        assertThat(bench.dataPlane.held("a").values())
                .containsExactlyInAnyOrder(P1.list(1), P1.steering(1), P2.list(2), P2.steering(2));
        assertThat(bench.dataPlane.held("b").values()).containsExactly(Toy.sid(1));
    }

    @Test
    void an_intent_waits_for_a_node_that_is_not_there_with_nothing_installed() {
        bench.dataPlane.disconnect("b", "no route to host");
        bench.settle();
        bench.submit(P1);
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.PENDING);
        assertThat(bench.log()).isEmpty();
        assertThat(bench.status("p1").troubles())
                .anySatisfy(entry ->
                        assertThat(entry.failure().orElseThrow().reason()).contains("b does not answer since"))
                .anySatisfy(entry ->
                        assertThat(entry.failure().orElseThrow().reason()).contains("waits for b"));
        assertThat(bench.status("p1").troubles())
                .extracting(EntryStatus::waitsFor)
                .containsOnly(Optional.of("b"));
        bench.dataPlane.connect("b");
        bench.settle();
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"c INSERT my_sid", "a MODIFY sid_list"})
    void a_change_that_fails_restores_what_was_there(String failing) {
        bench.submit(P1);
        String[] words = failing.split(" ");
        bench.dataPlane.refuse(
                words[0],
                update -> update.operation() == Operation.valueOf(words[1])
                        && !update.entry().equals(P1.list(1)),
                Code.INTERNAL,
                "netlink: device busy");
        bench.submit(P1_OVER_C);
        assertThat(bench.dataPlane.held("a").values()).containsExactlyInAnyOrder(P1.list(1), P1.steering(1));
        assertThat(bench.dataPlane.held("b").values()).containsExactly(Toy.sid(1));
        assertThat(bench.dataPlane.held("c")).isEmpty();
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.DEGRADED);
        assertThat(bench.status("p1").intent().intent())
                .as("what is wanted is kept")
                .isEqualTo(P1_OVER_C);

        bench.dataPlane.obey(words[0]);
        bench.audit();
        assertThat(bench.dataPlane.held("c").values()).containsExactly(Toy.sid(1));
        assertThat(bench.dataPlane.held("b")).isEmpty();
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
    }

    @Test
    void an_undo_reaches_a_dead_node_when_it_returns() {
        bench.dataPlane.loseAfter("a", 1);
        bench.submit(P1);
        assertThat(bench.dataPlane.held("a").values())
                .as("the list was written before the node died")
                .containsExactly(P1.list(1));
        await(bench.engine.withdraw(bench.kind, List.of("p1")));
        bench.dataPlane.connect("a");
        bench.settle();
        assertThat(bench.dataPlane.held("a")).isEmpty();
    }

    @Test
    void a_number_is_not_given_again_while_a_dead_node_may_still_hold_its_entries() {
        bench.submit(P1);
        bench.dataPlane.disconnect("a", "gone");
        bench.settle();
        await(bench.engine.withdraw(bench.kind, List.of("p1")));
        assertThat(number(bench.submit(toy("p3", "fd00:3::/64", "c d")))).isEqualTo(2);
        await(bench.engine.withdraw(bench.kind, List.of("p3")));
        assertThat(number(bench.submit(toy("p4", "fd00:4::/64", "c d"))))
                .as("nothing of p3 is left")
                .isEqualTo(2);
        bench.dataPlane.connect("a");
        bench.settle();
        assertThat(bench.dataPlane.held("a")).isEmpty();
        assertThat(bench.store.all("leftovers")).isEmpty();
    }

    @Test
    void an_installed_intent_whose_node_is_lost_keeps_the_rest_and_says_so() {
        bench.submit(P1);
        bench.dataPlane.forgetLog();
        bench.dataPlane.disconnect("b", "agent stopped");
        bench.settle();
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.DEGRADED);
        assertThat(bench.log()).isEmpty();
        bench.dataPlane.connect("b");
        bench.settle();
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
        assertThat(bench.log()).as("nothing was wrong, so nothing is written").isEmpty();
    }

    @Test
    void a_removal_that_is_refused_does_not_bring_the_intent_back_and_is_tried_again() {
        bench.submit(P1);
        bench.dataPlane.refuse("b", update -> update.operation() == Operation.DELETE, Code.INTERNAL, "busy");
        await(bench.engine.withdraw(bench.kind, List.of("p1")));
        assertThat(bench.dataPlane.held("a")).isEmpty();
        assertThat(bench.dataPlane.held("b").values()).containsExactly(Toy.sid(1));
        bench.dataPlane.obey("b");
        bench.audit();
        assertThat(bench.dataPlane.held("b")).isEmpty();
    }

    @Test
    void a_row_that_exists_unexpectedly_is_taken_over() {
        bench.dataPlane.plant("a", toy("", "fd00:1::/64", "a c d").list(1));
        bench.submit(P1);
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
        assertThat(bench.dataPlane.held("a").values()).contains(P1.list(1));
    }

    @Test
    void a_row_that_vanished_is_no_obstacle_to_removing_it() {
        bench.submit(P1);
        bench.dataPlane.erase("b", Toy.sid(1).key());
        await(bench.engine.withdraw(bench.kind, List.of("p1")));
        assertThat(bench.dataPlane.held("a")).isEmpty();
        assertThat(bench.events).noneMatch(EngineEvent.EntryRefused.class::isInstance);
    }

    @Test
    void a_slow_node_does_not_keep_the_engine_from_accepting() {
        bench.dataPlane.hold("b");
        CompletableFuture<Void> first =
                bench.engine.submit(bench.kind, List.of(P1)).settled();
        Submission<Toy> second = bench.engine.submit(bench.kind, List.of(P2));
        assertThat(second.outcomes().get(0).accepted()).isTrue();
        assertThat(bench.store.all("intents")).containsOnlyKeys("toy/p1", "toy/p2");
        assertThat(first).isNotDone();
        bench.dataPlane.release("b");
        await(first);
        await(second.settled());
        assertThat(bench.status("p2").state()).isEqualTo(IntentState.INSTALLED);
    }

    @Test
    void an_intent_that_is_withdrawn_while_it_is_written_leaves_nothing() {
        bench.dataPlane.hold("b");
        bench.engine.submit(bench.kind, List.of(P1));
        CompletableFuture<Void> gone = bench.engine.withdraw(bench.kind, List.of("p1"));
        bench.dataPlane.release("b");
        await(gone);
        assertThat(bench.dataPlane.held("a")).isEmpty();
        assertThat(bench.dataPlane.held("b")).isEmpty();
    }

    @Test
    void a_node_that_fails_one_call_without_reporting_itself_lost_is_tried_again_by_itself() {
        try (Bench eager = Bench.started(Bench.QUIET.withRetryDelay(Duration.ofMillis(1)))) {
            eager.dataPlane.breakNextCall("b");
            CompletableFuture<Void> installed = new CompletableFuture<>();
            eager.engine.listen(event -> {
                if (event.equals(new EngineEvent.IntentChanged(new IntentRef("toy", "p1"), IntentState.INSTALLED))) {
                    installed.complete(null);
                }
            });
            eager.engine.submit(eager.kind, List.of(P1));
            await(installed);
            assertThat(eager.dataPlane.held("b").values()).containsExactly(Toy.sid(1));
        }
    }

    @Test
    void a_compiler_that_throws_rejects_the_intent_and_spares_the_engine() {
        IntentKind<Toy> broken = new Toy.Kind("broken") {
            @Override
            public Plan compile(NumberedIntent<Toy> intent, CompileContext context) {
                throw new IndexOutOfBoundsException("index 7");
            }
        };
        bench.engine.register(broken);
        Submission<Toy> submission = bench.engine.submit(broken, List.of(P1));
        assertThat(submission.outcomes().get(0).problems())
                .singleElement()
                .satisfies(problem ->
                        assertThat(problem.message()).contains("broken").contains("index 7"));
        bench.submit(P2);
        assertThat(bench.status("p2").state()).isEqualTo(IntentState.INSTALLED);
    }

    /** A recursion without end, and a class that a bundle lacks, are defects of one compiler. */
    @Test
    void a_compiler_that_fails_with_an_error_spares_other_intents_and_the_rest_of_the_change() {
        for (Error error : List.of(new StackOverflowError("walk"), new NoClassDefFoundError("org/Class"))) {
            AtomicBoolean armed = new AtomicBoolean();
            IntentKind<Toy> broken = new Toy.Kind("broken-" + error.getMessage().length()) {
                @Override
                public Plan compile(NumberedIntent<Toy> intent, CompileContext context) {
                    if (armed.get()) {
                        throw error;
                    }
                    return super.compile(intent, context);
                }
            };
            bench.engine.register(broken);
            String prefix = "2001:db8:" + error.getMessage().length() + "::/64";
            await(bench.engine
                    .submit(broken, List.of(Toy.toy("first", prefix, "a b")))
                    .settled());
            bench.submit(Toy.toy("second", "fd00:77::/64", "a b"));
            armed.set(true);
            bench.inventory.links("a", "b", link -> link.withUp(false));
            await(bench.engine.idle());
            assertThat(bench.status("second").plan().problems()).hasSize(1);
            IntentStatus<Toy> failed = bench.engine.get(broken, "first").orElseThrow();
            assertThat(failed.plan().problems())
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.message()).contains(error.getMessage()));
            bench.inventory.links("a", "b", link -> link.withUp(true));
            await(bench.engine.idle());
            assertThat(bench.status("second").state()).isEqualTo(IntentState.INSTALLED);
        }
    }

    private static Predicate<DataPlane.Update> in(String table) {
        return update -> update.entry().key().table().equals(table);
    }

    /** Entries that a toy of this number installs. */
    private static Predicate<DataPlane.Update> number(int number) {
        return update -> update.entry() instanceof SidList list && list.id() == number
                || update.entry() instanceof Steering steering && steering.sidList() == number
                || update.entry().equals(Toy.sid(number));
    }

    private static int number(Submission<Toy> submission) {
        return submission.outcomes().get(0).intent().orElseThrow().intent().number();
    }
}
