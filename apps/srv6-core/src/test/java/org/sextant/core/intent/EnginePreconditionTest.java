// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sextant.core.intent.Toy.toy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.Precondition.Tags;

/** A change with a precondition (RFC 9110, 13) overwrites no unseen change. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
class EnginePreconditionTest {
    private static final Toy ACROSS = toy("p1", "fd00:1::/64", "a d");
    private static final Toy OVER_B = toy("p1", "fd00:1::/64", "a b d");
    private static final Toy OVER_C = toy("p1", "fd00:1::/64", "a c d");
    private static final Precondition NEW = Precondition.noneMatch(Tags.ANY);

    private final Bench bench = Bench.started();

    @AfterEach
    void close() {
        bench.close();
    }

    private Precondition as(Toy... seen) {
        return Precondition.match(Tags.of(List.of(seen).stream()
                .map(bench.kind::encode)
                .map(Precondition::tag)
                .toArray(String[]::new)));
    }

    private Submission.Outcome<Toy> submit(Toy toy, Precondition only) {
        Submission<Toy> submission = bench.engine.submit(bench.kind, List.of(toy), only);
        Bench.await(submission.settled());
        return submission.outcomes().get(0);
    }

    private Toy stored() {
        return bench.status("p1").intent().intent();
    }

    private static void unmet(Submission.Outcome<Toy> outcome, String message) {
        assertThat(outcome.intent()).isEmpty();
        assertThat(outcome.problems()).singleElement().satisfies(problem -> unmet(problem, message));
    }

    private static void unmet(Problem problem, String message) {
        assertThat(problem.code()).isEqualTo(Problem.Code.PRECONDITION);
        assertThat(problem.message()).isEqualTo(message);
    }

    @Test
    void what_is_as_it_was_seen_is_replaced_and_anything_else_is_not() {
        bench.submit(ACROSS);
        assertThat(submit(OVER_B, as(OVER_C, ACROSS)).changed()).isTrue();
        unmet(submit(OVER_C, as(ACROSS)), "toy \"p1\" is not what it was any more");
        unmet(submit(OVER_C, Precondition.match(Tags.of())), "toy \"p1\" is not what it was any more");
        assertThat(stored()).isEqualTo(OVER_B);
        assertThat(submit(OVER_C, Precondition.match(Tags.ANY)).changed()).isTrue();
    }

    @Test
    void the_tag_is_of_what_was_asked_for_and_not_of_its_state_or_number() {
        bench.submit(toy("p0", "fd00:2::/64", "a b"), ACROSS);
        bench.inventory.link("a", "d", false);
        bench.settle();
        assertThat(submit(OVER_B, as(ACROSS)).changed()).isTrue();
    }

    @Test
    void what_was_done_already_is_no_matter_of_who_asked_first() {
        bench.submit(ACROSS);
        assertThat(submit(OVER_B, as(ACROSS)).changed()).isTrue();
        Submission.Outcome<Toy> again = submit(OVER_B, as(ACROSS));
        assertThat(again.accepted()).isTrue();
        assertThat(again.changed()).isFalse();
    }

    @Test
    void what_must_be_new_replaces_nothing_and_what_must_be_there_makes_nothing() {
        unmet(submit(ACROSS, Precondition.match(Tags.ANY)), "there is no toy \"p1\" any more");
        assertThat(submit(ACROSS, NEW).changed()).isTrue();
        unmet(submit(OVER_B, NEW), "there is a toy \"p1\" already");
        unmet(submit(ACROSS, NEW), "there is a toy \"p1\" already");
        assertThat(stored()).isEqualTo(ACROSS);
    }

    @Test
    void what_is_not_as_it_was_seen_is_not_removed() {
        bench.submit(ACROSS);
        assertThatThrownBy(() -> bench.engine.withdraw(bench.kind, List.of("p1"), as(OVER_B)))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        thrown -> assertThat(thrown.problems())
                                .singleElement()
                                .satisfies(problem -> unmet(problem, "toy \"p1\" is not what it was any more")));
        assertThat(stored()).isEqualTo(ACROSS);
        Bench.await(bench.engine.withdraw(bench.kind, List.of("p1"), as(ACROSS)));
        assertThat(bench.engine.get(bench.kind, "p1")).isEmpty();
    }

    @Test
    void a_dry_run_says_the_same() {
        bench.submit(ACROSS);
        assertThat(bench.engine.dryRun(bench.kind, OVER_B, as(ACROSS)).plan().feasible())
                .isTrue();
        assertThat(bench.engine.dryRun(bench.kind, OVER_B, as(OVER_C)).plan().problems())
                .singleElement()
                .satisfies(problem -> unmet(problem, "toy \"p1\" is not what it was any more"));
        assertThat(bench.engine.dryRun(bench.kind, OVER_B, NEW).plan().problems())
                .singleElement()
                .satisfies(problem -> unmet(problem, "there is a toy \"p1\" already"));
        assertThat(bench.engine
                        .dryRun(bench.kind, toy("p2", "fd00:2::/64", "a b"), NEW)
                        .plan()
                        .feasible())
                .isTrue();
    }

    @Test
    void a_change_in_part_is_of_what_was_seen() {
        bench.submit(ACROSS);
        assertThat(bench.engine
                        .change(bench.kind, "p1", before -> OVER_B, as(OVER_C))
                        .outcomes())
                .singleElement()
                .satisfies(outcome -> unmet(outcome, "toy \"p1\" is not what it was any more"));
        Bench.await(bench.engine
                .change(bench.kind, "p1", before -> OVER_B, as(ACROSS))
                .settled());
        assertThat(stored()).isEqualTo(OVER_B);
    }

    @Test
    void several_at_once_have_no_tag() {
        assertThatThrownBy(() -> bench.engine.submit(bench.kind, List.of(ACROSS, toy("p2", "fd00:2::/64", "a b")), NEW))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void of_two_who_replace_the_same_at_the_same_moment_exactly_one_does() throws Exception {
        bench.submit(ACROSS);
        ExecutorService people = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 25; round++) {
                Precondition seen = as(stored());
                CyclicBarrier together = new CyclicBarrier(2);
                List<Callable<Boolean>> replaces = new ArrayList<>();
                for (String node : List.of("b", "c")) {
                    Toy mine = toy("p1", "fd00:1::/64", "a " + node + (round % 2 == 0 ? " d" : ""));
                    replaces.add(() -> {
                        together.await(20, TimeUnit.SECONDS);
                        return submit(mine, seen).changed();
                    });
                }
                int won = 0;
                for (Future<Boolean> one : people.invokeAll(replaces)) {
                    won += one.get() ? 1 : 0;
                }
                assertThat(won).as("winners of round %d", round).isEqualTo(1);
            }
        } finally {
            people.shutdown();
        }
    }
}
