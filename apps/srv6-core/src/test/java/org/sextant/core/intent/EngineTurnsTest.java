// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sextant.core.intent.Toy.toy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.port.StoreUnavailableException;

/** The engine does long work in turns, and handles other messages between them. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
class EngineTurnsTest {
    private static final int MANY = 400;
    private static final int TURNS_AT_LEAST = 4;

    /** Its compiler takes a twentieth of a turn. */
    private static final class SlowKind extends Toy.Kind {
        volatile boolean slow = true;

        @Override
        public String identity(Toy toy) {
            return toy.name();
        }

        @Override
        public Plan compile(NumberedIntent<Toy> intent, CompileContext context) {
            if (slow) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            return super.compile(intent, context);
        }
    }

    private final SlowKind kind = new SlowKind();
    private final Bench bench =
            new Bench(new FakeInventory(Bench.square()), new FakeDataPlane(), new FakeStore(), Bench.QUIET, kind);

    @BeforeEach
    void start() {
        bench.connectAll();
        bench.start();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private static List<Toy> many(String path) {
        return IntStream.range(0, MANY)
                .mapToObj(i -> toy("p" + i, "fd00:" + Integer.toHexString(i) + "::/64", path))
                .toList();
    }

    private CompletableFuture<Submission<Toy>> submitting(List<Toy> toys) {
        return CompletableFuture.supplyAsync(() -> bench.engine.submit(kind, toys));
    }

    /** Waits at most for the time of a test. */
    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private void awaitStored() {
        await(() -> bench.store.writes() > 0);
    }

    /** Many intents along a link, compiled quickly; whatever compiles them again is slow. */
    private void installMany() {
        kind.slow = false;
        Bench.await(bench.engine.submit(kind, many("a b")).settled());
        kind.slow = true;
    }

    private long inState(IntentState state) {
        return bench.engine.list(kind).stream()
                .filter(one -> one.state() == state)
                .count();
    }

    @Test
    void a_link_that_is_lost_overtakes_a_long_list() {
        bench.submit(toy("first", "fd01::/64", "a b"));
        int before = bench.store.writes();
        CompletableFuture<Submission<Toy>> list = submitting(many("c d"));
        await(() -> bench.store.writes() > before);
        bench.inventory.link("a", "b", false);
        await(() -> bench.status("first").state() == IntentState.FAILED);
        assertThat(list).as("the list is still being admitted").isNotDone();
        assertThat(list.join().outcomes()).hasSize(MANY).allMatch(Submission.Outcome::accepted);
    }

    @Test
    void another_request_has_its_turn_between_those_of_a_long_list() {
        CompletableFuture<Submission<Toy>> list = submitting(many("c d"));
        awaitStored();
        bench.engine.submit(kind, List.of(toy("other", "fd01::/64", "a b")));
        assertThat(list).as("the list is still being admitted").isNotDone();
        Bench.await(list.join().settled());
        bench.settle();
        assertThat(inState(IntentState.INSTALLED)).isEqualTo(MANY + 1);
    }

    @Test
    void outcomes_of_a_long_list_stand_in_its_order() {
        List<Toy> toys = many("c d");
        assertThat(bench.engine.submit(kind, toys).outcomes())
                .extracting(one -> one.intent().orElseThrow().id())
                .containsExactlyElementsOf(toys.stream().map(Toy::name).toList());
        assertThat(bench.store.writes()).as("one for each turn").isGreaterThanOrEqualTo(TURNS_AT_LEAST);
    }

    @Test
    void a_row_that_goes_from_the_first_of_a_long_list_to_the_last_is_never_gone() {
        bench.submit(toy("p0", "fd01::/64", "c d"));
        bench.dataPlane.forgetLog();
        List<Toy> list = new ArrayList<>(many("c d"));
        list.add(toy("last", "fd01::/64", "c b"));
        Bench.await(bench.engine.submit(kind, list).settled());
        bench.settle();
        assertThat(bench.log())
                .contains("c MODIFY steering_v6 vrf 0 fd01::/64")
                .doesNotContain("c DELETE steering_v6 vrf 0 fd01::/64");
        bench.engine.withdraw(kind, List.of("last"));
        bench.settle();
        assertThat(bench.log()).as("rows go again").contains("c DELETE steering_v6 vrf 0 fd01::/64");
    }

    @Test
    void a_short_list_is_stored_in_one_step() {
        bench.engine.submit(kind, many("c d").subList(0, 16));
        assertThat(bench.store.writes()).isEqualTo(1);
    }

    @Test
    void turns_before_the_store_refuses_one_are_kept_and_the_list_can_be_sent_again() {
        AtomicInteger commits = new AtomicInteger();
        bench.store.faults(
                () -> commits.incrementAndGet() == 3 ? Optional.of(FakeStore.Fault.REFUSED) : Optional.empty());
        List<Toy> toys = many("c d");
        assertThatThrownBy(() -> bench.engine.submit(kind, toys)).isInstanceOf(RuntimeException.class);
        int kept = bench.engine.list(kind).size();
        assertThat(kept).isGreaterThan(1).isLessThan(MANY);
        assertThat(bench.store.all("intents")).hasSize(kept);
        Submission<Toy> again = bench.engine.submit(kind, toys);
        assertThat(again.outcomes().stream().filter(Submission.Outcome::changed))
                .hasSize(MANY - kept);
        Bench.await(again.settled());
        bench.settle();
        assertThat(inState(IntentState.INSTALLED)).isEqualTo(MANY);
    }

    @Test
    void a_store_that_hangs_during_a_long_list_fails_it_in_time() {
        CompletableFuture<Submission<Toy>> list = submitting(many("c d"));
        awaitStored();
        bench.store.hang(FakeStore.Hang.BEFORE);
        assertThatThrownBy(list::join).hasCauseInstanceOf(StoreUnavailableException.class);
        bench.store.goOn();
        bench.settle();
        assertThat(bench.engine.submit(kind, many("c d")).outcomes())
                .hasSize(MANY)
                .allMatch(Submission.Outcome::accepted);
    }

    @Test
    void a_request_has_its_turn_while_many_intents_are_compiled_again() {
        installMany();
        bench.inventory.link("a", "b", false);
        await(() -> inState(IntentState.FAILED) > 0);
        bench.engine.submit(kind, List.of(toy("other", "fd01::/64", "c d")));
        assertThat(inState(IntentState.FAILED))
                .as("the others are still being compiled")
                .isLessThan(MANY);
        bench.settle();
        assertThat(inState(IntentState.FAILED)).isEqualTo(MANY);
        assertThat(bench.status("other").state()).isEqualTo(IntentState.INSTALLED);
    }

    @Test
    void a_change_that_comes_while_many_intents_are_compiled_again_has_the_last_word() {
        installMany();
        bench.inventory.link("a", "b", false);
        await(() -> inState(IntentState.FAILED) > 0);
        bench.inventory.link("a", "b", true);
        bench.settle();
        assertThat(inState(IntentState.INSTALLED)).isEqualTo(MANY);
        bench.inventory.link("a", "b", false);
        bench.inventory.link("b", "c", false);
        bench.settle();
        assertThat(inState(IntentState.FAILED)).isEqualTo(MANY);
        assertThat(bench.dataPlane.held("a")).isEmpty();
    }

    @Test
    void an_intent_that_is_withdrawn_before_its_turn_stays_withdrawn() {
        installMany();
        bench.inventory.link("a", "b", false);
        bench.engine.withdraw(kind, List.of("p" + (MANY - 1)));
        bench.settle();
        assertThat(inState(IntentState.FAILED)).isEqualTo(MANY - 1);
        assertThat(bench.engine.get(kind, "p" + (MANY - 1))).isEmpty();
    }

    @Test
    void of_a_long_list_none_is_withdrawn_if_one_is_unknown() {
        kind.slow = false;
        Bench.await(bench.engine.submit(kind, many("a b")).settled());
        List<String> ids = IntStream.rangeClosed(0, MANY).mapToObj(i -> "p" + i).toList();
        assertThatThrownBy(() -> bench.engine.withdraw(kind, ids))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.problems())
                                .extracting(Problem::code)
                                .containsExactly(Problem.Code.UNKNOWN));
        assertThat(inState(IntentState.INSTALLED)).isEqualTo(MANY);
        int before = bench.store.writes();
        Bench.await(bench.engine.withdraw(kind, ids.subList(0, MANY)));
        assertThat(bench.store.writes() - before).as("one for each part").isGreaterThanOrEqualTo(TURNS_AT_LEAST);
        assertThat(bench.engine.list(kind)).isEmpty();
        assertThat(bench.dataPlane.held("a")).isEmpty();
    }
}
