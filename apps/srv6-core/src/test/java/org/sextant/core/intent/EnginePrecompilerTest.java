// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.sextant.core.intent.Toy.toy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;

/** Intents of long lists are compiled on other threads before the engine's thread comes to them, with the same plans. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
class EnginePrecompilerTest {
    private static final int MANY = 200;
    private static final Pool POOL = new Pool("numbers", 1, 100_000);

    /** Notes where each intent is compiled; intents named {@code claim…} claim a number. */
    private static final class NotingKind extends Toy.Kind {
        final Queue<String> threads = new ConcurrentLinkedQueue<>();
        final Queue<Integer> numbers = new ConcurrentLinkedQueue<>();
        final Queue<Long> claimed = new ConcurrentLinkedQueue<>();

        @Override
        public String identity(Toy toy) {
            return toy.name();
        }

        @Override
        public Plan compile(NumberedIntent<Toy> intent, CompileContext context) {
            threads.add(Thread.currentThread().getName());
            numbers.add(intent.number());
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            if (intent.intent().name().startsWith("claim")) {
                context.claim(intent, new AllocationRequest(POOL, 0)).ifPresent(claimed::add);
            }
            return super.compile(intent, context);
        }

        long inAdvance() {
            return threads.stream()
                    .filter(name -> name.startsWith("sextant-compile"))
                    .count();
        }
    }

    private final NotingKind kind = new NotingKind();

    /** The intents of a commit that is answered late are compiled again. */
    private final Bench bench = new Bench(
            new FakeInventory(Bench.square()),
            new FakeDataPlane(),
            new FakeStore(),
            Bench.QUIET.withStorePatience(Duration.ofSeconds(20)),
            kind);

    @BeforeEach
    void start() {
        assumeThat(Runtime.getRuntime().availableProcessors())
                .as("processors: with one, nothing is compiled in advance")
                .isGreaterThan(1);
        bench.connectAll();
        bench.start();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private static List<Toy> many(String name) {
        return IntStream.range(0, MANY)
                .mapToObj(i -> toy(name + i, "fd00:" + Integer.toHexString(i) + "::/64", "a b"))
                .toList();
    }

    @Test
    void each_intent_of_a_long_list_is_compiled_once_and_some_in_advance() {
        Bench.await(bench.engine.submit(kind, many("p")).settled());
        assertThat(kind.numbers).hasSize(MANY).doesNotHaveDuplicates();
        assertThat(kind.inAdvance()).isPositive();
        assertThat(bench.dataPlane.held("a")).hasSize(2 * MANY);
    }

    @Test
    void intents_that_claim_numbers_get_different_ones() {
        Bench.await(bench.engine.submit(kind, many("claim")).settled());
        assertThat(kind.claimed).hasSize(MANY).doesNotHaveDuplicates();
    }

    @Test
    void an_intent_of_the_list_that_is_rejected_changes_the_numbers_of_those_behind_it_and_nothing_else() {
        List<Toy> list = new ArrayList<>(many("p"));
        list.set(5, toy("p5", "fd00:5::/64", "a x"));
        Submission<Toy> submission = bench.engine.submit(kind, list);
        Bench.await(submission.settled());
        assertThat(submission.outcomes().get(5).accepted())
                .as("no link from a to x")
                .isFalse();
        assertThat(bench.engine.list(kind))
                .hasSize(MANY - 1)
                .extracting(IntentStatus::state)
                .containsOnly(IntentState.INSTALLED);
        assertThat(bench.dataPlane.held("a")).hasSize(2 * (MANY - 1));
        assertThat(bench.dataPlane.held("b")).as("SIDs by number").hasSize(MANY - 1);
    }

    @Test
    void intents_that_a_lost_link_concerns_are_compiled_again_in_advance() {
        Bench.await(bench.engine.submit(kind, many("p")).settled());
        kind.threads.clear();
        bench.inventory.link("a", "b", false);
        bench.settle();
        assertThat(bench.engine.list(kind)).extracting(IntentStatus::state).containsOnly(IntentState.FAILED);
        assertThat(kind.threads).hasSize(MANY);
        assertThat(kind.inAdvance()).isPositive();
    }
}
