// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sextant.core.intent.Bench.await;
import static org.sextant.core.intent.Toy.toy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.fake.FakeDataPlane.Batch;

/** Submitting, storing, installing in order, withdrawing: everything goes well, or is refused at the door. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class IntentEngineTest {
    private final Bench bench = Bench.started();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void an_intent_is_stored_and_installed() {
        Submission<Toy> submission = bench.submit(toy("p1", "fd00:1::/64", "a b"));
        assertThat(submission.outcomes()).singleElement().satisfies(outcome -> {
            assertThat(outcome.changed()).isTrue();
            assertThat(outcome.intent().orElseThrow().intent().number()).isEqualTo(1);
        });
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
        assertThat(bench.dataPlane.held("a").values())
                .containsExactlyInAnyOrder(
                        toy("", "fd00:1::/64", "a b").list(1),
                        toy("", "fd00:1::/64", "a b").steering(1));
        assertThat(bench.dataPlane.held("b").values()).containsExactly(Toy.sid(1));
        assertThat(bench.store.all("intents")).containsOnlyKeys("toy/p1");
    }

    @Test
    void what_receives_is_written_before_what_sends() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"));
        assertThat(bench.log())
                .containsExactly(
                        "a INSERT sid_list id 1",
                        "b INSERT my_sid fcbb:bbbb:0:1::/64",
                        "a INSERT steering_v6 vrf 0 fd00:1::/64");
    }

    @Test
    void what_sends_is_removed_before_what_receives() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"));
        bench.dataPlane.forgetLog();
        await(bench.engine.withdraw(bench.kind, List.of("p1")));
        assertThat(bench.log())
                .containsExactly(
                        "a DELETE steering_v6 vrf 0 fd00:1::/64",
                        "b DELETE my_sid fcbb:bbbb:0:1::/64",
                        "a DELETE sid_list id 1");
        assertThat(bench.store.all("intents")).isEmpty();
        assertThat(bench.engine.get(bench.kind, "p1")).isEmpty();
    }

    @Test
    void a_changed_path_makes_before_it_breaks() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"));
        bench.dataPlane.forgetLog();
        bench.submit(toy("p1", "fd00:1::/64", "a c"));
        assertThat(bench.log())
                .containsExactly(
                        "c INSERT my_sid fcbb:bbbb:0:1::/64",
                        "a MODIFY sid_list id 1",
                        "b DELETE my_sid fcbb:bbbb:0:1::/64");
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
        assertThat(bench.status("p1").intent().number()).isEqualTo(1);
    }

    @Test
    void the_same_intent_again_changes_nothing_and_keeps_its_id() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"));
        bench.dataPlane.forgetLog();
        int writes = bench.store.writes();
        Submission<Toy> again = bench.submit(toy("p1", "fd00:1::/64", "a b"));
        assertThat(again.outcomes()).singleElement().satisfies(outcome -> {
            assertThat(outcome.changed()).isFalse();
            assertThat(outcome.intent().orElseThrow().id()).isEqualTo("p1");
        });
        assertThat(bench.log()).isEmpty();
        assertThat(bench.store.writes()).isEqualTo(writes);
    }

    @Test
    void an_intent_without_a_name_gets_the_same_id_every_time() {
        String first = id(bench.submit(toy("", "fd00:1::/64", "a b")));
        await(bench.engine.withdraw(bench.kind, List.of(first)));
        bench.submit(toy("", "fd00:2::/64", "a b"));
        assertThat(id(bench.submit(toy("", "fd00:1::/64", "a b"))))
                .isEqualTo(first)
                .matches("[0-9a-f]{8}");
    }

    @Test
    void a_derived_id_that_is_taken_gets_longer() {
        String id = id(bench.submit(toy("", "fd00:1::/64", "a b")));
        await(bench.engine.withdraw(bench.kind, List.of(id)));
        bench.submit(toy(id, "fd00:2::/64", "a b"));
        assertThat(id(bench.submit(toy("", "fd00:1::/64", "a b")))).hasSize(9).startsWith(id);
    }

    @Test
    void a_name_that_another_intent_has_is_a_conflict() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"));
        assertThat(problems(bench.submit(toy("p1", "fd00:2::/64", "a b"))))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.code()).isEqualTo(Problem.Code.CONFLICT);
                    assertThat(problem.message()).contains("p1");
                });
    }

    @Test
    void a_name_with_a_slash_is_invalid() {
        assertThat(problems(bench.submit(toy("p/1", "fd00:1::/64", "a b"))))
                .extracting(Problem::code)
                .containsExactly(Problem.Code.INVALID);
    }

    @Test
    void steering_that_another_intent_owns_is_a_conflict_that_names_the_owner() {
        IntentKind<Toy> other = new Toy.Kind("rival");
        bench.engine.register(other);
        bench.submit(toy("p1", "fd00:1::/64", "a b"));
        bench.dataPlane.forgetLog();
        Submission<Toy> submission = bench.engine.submit(other, List.of(toy("r1", "fd00:1::/64", "a c")));
        assertThat(problems(submission)).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(Problem.Code.CONFLICT);
            assertThat(problem.field()).isEqualTo("/prefix");
            assertThat(problem.message())
                    .contains("toy \"p1\"")
                    .contains("node a")
                    .contains("fd00:1::/64");
        });
        assertThat(bench.log()).isEmpty();
        assertThat(bench.store.all("intents")).containsOnlyKeys("toy/p1");
    }

    @Test
    void a_conflict_inside_one_bulk_rejects_the_later_one_only() {
        IntentKind<Toy> loose = new Toy.Kind("loose") {
            @Override
            public String identity(Toy toy) {
                return toy.name();
            }
        };
        bench.engine.register(loose);
        Submission<Toy> submission = bench.engine.submit(
                loose,
                List.of(
                        toy("x", "fd00:1::/64", "a b"),
                        toy("y", "fd00:1::/64", "a c"),
                        toy("z", "fd00:2::/64", "a b")));
        await(submission.settled());
        assertThat(submission.outcomes())
                .extracting(Submission.Outcome::accepted)
                .containsExactly(true, false, true);
        assertThat(submission.outcomes().get(1).problems().get(0).message()).contains("loose \"x\"");
    }

    @Test
    void an_unfeasible_intent_is_rejected_and_leaves_nothing() {
        assertThat(problems(bench.submit(toy("p1", "fd00:1::/64", "a x"))))
                .extracting(Problem::message)
                .containsExactly("no link from a to x");
        assertThat(bench.store.all("intents")).isEmpty();
        assertThat(bench.engine.list(bench.kind)).isEmpty();
        assertThat(bench.submit(toy("p2", "fd00:1::/64", "a b"))
                        .outcomes()
                        .get(0)
                        .intent()
                        .orElseThrow()
                        .intent()
                        .number())
                .as("the number that the rejected one would have had")
                .isEqualTo(1);
    }

    @Test
    void a_dry_run_returns_the_plan_and_changes_nothing() {
        Plan plan =
                bench.engine.dryRun(bench.kind, toy("p1", "fd00:1::/64", "a b")).plan();
        assertThat(plan.entries()).contains(new Plan.Placed("b", Toy.sid(1)));
        assertThat(bench.store.all("intents")).isEmpty();
        assertThat(bench.engine.list(bench.kind)).isEmpty();
        assertThat(bench.log()).isEmpty();
    }

    @Test
    void a_dry_run_tells_a_conflict() {
        IntentKind<Toy> other = new Toy.Kind("rival");
        bench.engine.register(other);
        bench.submit(toy("p1", "fd00:1::/64", "a b"));
        assertThat(bench.engine
                        .dryRun(other, toy("r1", "fd00:1::/64", "a c"))
                        .plan()
                        .problems())
                .extracting(Problem::code)
                .containsExactly(Problem.Code.CONFLICT);
    }

    @Test
    void a_store_that_fails_leaves_everything_as_it_was() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"));
        bench.dataPlane.forgetLog();
        bench.store.failWith(new IllegalStateException("disk full"));
        assertThatThrownBy(() -> bench.submit(toy("p1", "fd00:1::/64", "a c"), toy("p2", "fd00:2::/64", "a b")))
                .hasMessage("disk full");
        bench.settle();
        assertThat(bench.log()).isEmpty();
        assertThat(bench.engine.list(bench.kind)).singleElement().satisfies(status -> {
            assertThat(status.intent().intent().path()).containsExactly("a", "b");
            assertThat(status.state()).isEqualTo(IntentState.INSTALLED);
        });
        bench.store.failWith(null);
        assertThat(bench.submit(toy("p2", "fd00:2::/64", "a c"))
                        .outcomes()
                        .get(0)
                        .accepted())
                .isTrue();
    }

    @Test
    void withdrawing_an_unknown_id_is_a_problem_and_changes_nothing() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"));
        assertThatThrownBy(() -> bench.engine.withdraw(bench.kind, List.of("p1", "nope")))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problems())
                                .singleElement()
                                .satisfies(
                                        problem -> assertThat(problem.message()).contains("nope")));
        assertThat(bench.engine.list(bench.kind)).hasSize(1);
    }

    @Test
    void a_thousand_intents_are_few_store_writes_and_batches() {
        List<Toy> toys = new ArrayList<>();
        for (int i = 1; i <= 1000; i++) {
            toys.add(toy("p" + i, "fd00:" + Integer.toHexString(i) + "::/64", i % 2 == 0 ? "a b" : "c d"));
        }
        int writes = bench.store.writes();
        Submission<Toy> submission = bench.engine.submit(bench.kind, toys);
        await(submission.settled());
        assertThat(bench.store.writes() - writes).as("one for each turn").isLessThan(100);
        assertThat(bench.dataPlane.batches())
                .as("one for each round, node and step")
                .hasSizeLessThan(600);
        assertThat(bench.dataPlane.batches().stream()
                        .collect(Collectors.groupingBy(Batch::node, Collectors.summingInt(Batch::updates))))
                .containsOnly(Map.entry("a", 1000), Map.entry("b", 500), Map.entry("c", 1000), Map.entry("d", 500));
        Set<Integer> numbers = bench.engine.list(bench.kind).stream()
                .map(s -> s.intent().number())
                .collect(Collectors.toSet());
        assertThat(numbers).hasSize(1000);
        assertThat(bench.engine.list(bench.kind)).allMatch(status -> status.state() == IntentState.INSTALLED);
    }

    @Test
    void many_intents_are_withdrawn_in_as_few_store_writes_as_one() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"), toy("p2", "fd00:2::/64", "a b"), toy("p3", "fd00:3::/64", "c d"));
        int writes = bench.store.writes();
        await(bench.engine.withdraw(bench.kind, List.of("p1", "p2", "p1")));
        bench.settle();
        assertThat(bench.store.writes() - writes)
                .as("that they are gone and what they leave; that this is off the nodes")
                .isEqualTo(2);
        assertThat(bench.store.all("intents")).containsOnlyKeys("toy/p3");
        assertThat(bench.store.all("leftovers")).isEmpty();
        assertThat(bench.dataPlane.held("a")).isEmpty();
    }

    @Test
    void who_comes_later_has_a_higher_number_also_when_lower_ones_are_free() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"), toy("p2", "fd00:2::/64", "a b"));
        await(bench.engine.withdraw(bench.kind, List.of("p1")));
        assertThat(bench.submit(toy("p3", "fd00:3::/64", "a b"))
                        .outcomes()
                        .get(0)
                        .intent()
                        .orElseThrow()
                        .intent()
                        .number())
                .isEqualTo(3);
    }

    @Test
    void what_was_accepted_is_shown_while_what_was_before_is_still_being_written() {
        bench.dataPlane.hold("a");
        Submission<Toy> first = bench.engine.submit(bench.kind, List.of(toy("p1", "fd00:1::/64", "a b")));
        Submission<Toy> second = bench.engine.submit(bench.kind, List.of(toy("p1", "fd00:1::/64", "a c")));
        assertThat(second.outcomes()
                        .get(0)
                        .intent()
                        .orElseThrow()
                        .intent()
                        .intent()
                        .tail())
                .isEqualTo("c");
        assertThat(bench.status("p1").intent().intent().tail()).isEqualTo("c");
        assertThat(bench.status("p1").plan().entries()).contains(new Plan.Placed("c", Toy.sid(1)));
        bench.dataPlane.release("a");
        await(first.settled());
        await(second.settled());
    }

    @Test
    void intents_are_found_by_what_they_say() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"), toy("p2", "fd00:2::/64", "a c"));
        assertThat(bench.engine.find(bench.kind, toy -> toy.tail().equals("c")))
                .extracting(IntentStatus::id)
                .containsExactly("p2");
    }

    @Test
    void entries_tell_their_owner_and_state() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"));
        assertThat(bench.engine.entries(EntryFilter.ofNode("b")))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.entry()).contains(Toy.sid(1));
                    assertThat(entry.state()).isEqualTo(EntryState.INSTALLED);
                    assertThat(entry.owners()).containsExactly(new IntentRef("toy", "p1"));
                });
        assertThat(bench.engine.entries(EntryFilter.ALL)).hasSize(3);
        assertThat(bench.engine.entries(EntryFilter.ofState(EntryState.FAILED))).isEmpty();
    }

    @Test
    void listeners_hear_of_intents_and_writes() {
        bench.submit(toy("p1", "fd00:1::/64", "a b"));
        bench.close();
        assertThat(bench.events)
                .contains(
                        new EngineEvent.IntentChanged(new IntentRef("toy", "p1"), IntentState.PENDING),
                        new EngineEvent.IntentChanged(new IntentRef("toy", "p1"), IntentState.INSTALLED),
                        new EngineEvent.EntriesWritten("b", 1, 0, 0))
                .noneMatch(EngineEvent.Fault.class::isInstance);
    }

    @Test
    void a_closed_engine_says_so() {
        bench.close();
        assertThatThrownBy(() -> bench.submit(toy("p1", "fd00:1::/64", "a b")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the intent engine is closed");
    }

    private static String id(Submission<Toy> submission) {
        return submission.outcomes().get(0).intent().orElseThrow().id();
    }

    private static List<Problem> problems(Submission<Toy> submission) {
        return submission.outcomes().get(0).problems();
    }
}
