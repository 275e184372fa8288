// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.core.intent.EngineCommitTest.ofStore;
import static org.sextant.core.intent.EngineCommitTest.stored;
import static org.sextant.core.intent.EngineCommitTest.view;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sextant.core.ProblemException;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.fake.FakeStore.Fault;
import org.sextant.core.fake.FakeStore.Hang;
import org.sextant.core.intent.orphan.OrphanedEntries;
import org.sextant.core.port.StoreUnavailableException;

/**
 * Random requests, nodes and links that come and go, and a store that fails before, after and amid a commit and does not answer
 * questions: the engine, the store, and an engine that starts with that store have the same.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
class EngineStoreFaultsTest {
    private static final List<String> NODES = List.of("a", "b", "c", "d");
    private static final EngineSettings EAGER = Bench.QUIET.withRetryDelay(Duration.ofMillis(1));
    private static final int STEPS = 60;
    private static final int FIXED_SEEDS = 25;

    private EngineSettings settings = EAGER;
    private final FakeStore store = new FakeStore();
    private final FakeDataPlane dataPlane = new FakeDataPlane();
    private final FakeInventory inventory = new FakeInventory(Bench.square());

    /** The last is another one each time. */
    static LongStream seeds() {
        return LongStream.concat(LongStream.range(0, FIXED_SEEDS), LongStream.of(System.nanoTime()));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    @Timeout(60)
    void the_engine_has_what_the_store_has_and_so_has_the_next_one(long seed) {
        run(seed, () -> {});
    }

    /** The engine does not wait for the store at all, so that every call is answered late. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    @Timeout(60)
    void so_it_has_if_every_answer_is_late(long seed) {
        settings = EAGER.withStorePatience(Duration.ZERO);
        run(seed, () -> {});
    }

    /** Some requests fail at their deadline, and their writes are made after it, or not. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    @Timeout(60)
    void so_it_has_if_the_store_hangs_now_and_then(long seed) {
        settings = EAGER.withStorePatience(Duration.ZERO).withStoreDeadline(Duration.ofMillis(10));
        Random random = new Random(seed + 1);
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
        try {
            run(seed, () -> {
                if (random.nextInt(4) == 0) {
                    store.hang(Hang.values()[random.nextInt(2)]);
                    clock.schedule(store::goOn, random.nextInt(25), TimeUnit.MILLISECONDS);
                }
            });
        } finally {
            store.goOn();
            clock.shutdown();
        }
    }

    /** @param disturb runs before each step */
    private void run(long seed, Runnable disturb) {
        Random random = new Random(seed);
        Bench bench = started();
        try {
            NODES.forEach(dataPlane::connect);
            for (int step = 0; step < STEPS; step++) {
                store.faults(() -> fault(random.nextInt(8)));
                store.failReads(random.nextInt(4));
                disturb.run();
                act(bench, random);
                requireAgreement(bench, seed, step);
                if (random.nextInt(12) == 0) {
                    bench = restarted(bench, seed, step);
                }
            }
            heal(bench);
            assertThat(store.all(OrphanedEntries.MAP)).as("seed %d", seed).isEmpty();
            bench = restarted(bench, seed, STEPS);
            assertThat(bench.audit().repairs()).as("seed %d", seed).isZero();
        } finally {
            store.faults(Optional::empty);
            bench.close();
        }
    }

    private Bench started() {
        Bench bench =
                Bench.recorded(new Bench.Fakes(inventory, dataPlane, store), settings, new EnginePoolsTest.Kind());
        bench.start();
        return bench;
    }

    private static Optional<Fault> fault(int choice) {
        return choice < Fault.values().length ? Optional.of(Fault.values()[choice]) : Optional.empty();
    }

    private void act(Bench bench, Random random) {
        String node = NODES.get(random.nextInt(NODES.size()));
        try {
            switch (random.nextInt(8)) {
                case 0 -> dataPlane.disconnect(node, "away");
                case 1 -> dataPlane.connect(node);
                case 2 -> inventory.link("a", "c", random.nextBoolean());
                case 3, 4 -> bench.engine.withdraw(bench.kind, some(random));
                case 5 ->
                    bench.engine.change(bench.kind, name(random), one -> toy(one.name(), random), Precondition.NONE);
                default ->
                    bench.engine.submit(
                            bench.kind,
                            some(random).stream().map(id -> toy(id, random)).toList());
            }
        } catch (StoreUnavailableException | ProblemException refused) {
            assertThat(refused).hasMessageNotContaining("another controller");
        }
    }

    private static String name(Random random) {
        return "p" + random.nextInt(6);
    }

    private static List<String> some(Random random) {
        List<String> some = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            some.add(name(random));
        }
        return some;
    }

    private static Toy toy(String name, Random random) {
        return Toy.toy(name, "fd00:" + name.substring(1) + "::/32", "a " + NODES.get(1 + random.nextInt(3)));
    }

    /** The engine reads again on its own, so that this is reached, faults or not; both may go on right behind it. */
    private void requireAgreement(Bench bench, long seed, int step) {
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        List<String> engine = stored(view(bench));
        List<String> there = ofStore(store);
        while (!engine.equals(there) && System.nanoTime() < end) {
            bench.settle();
            engine = stored(view(bench));
            there = ofStore(store);
        }
        assertThat(engine).as("seed %d, step %d", seed, step).isEqualTo(there);
    }

    private Bench restarted(Bench bench, long seed, int step) {
        quiet(bench);
        requireAgreement(bench, seed, step);
        List<String> before = view(bench);
        bench.close();
        Bench next = started();
        assertThat(view(next)).as("seed %d, step %d", seed, step).isEqualTo(before);
        requireAgreement(next, seed, step);
        return next;
    }

    private void quiet(Bench bench) {
        store.faults(Optional::empty);
        store.failReads(0);
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        do {
            bench.settle();
        } while (bench.engine.list(bench.kind).stream().anyMatch(EngineStoreFaultsTest::waits)
                && System.nanoTime() < end);
        bench.settle();
    }

    /** For numbers, which it gets when the engine reads the store again. */
    private static boolean waits(IntentStatus<Toy> status) {
        return status.problems().stream().anyMatch(problem -> problem.message().startsWith("it needs a number"));
    }

    private void heal(Bench bench) {
        NODES.forEach(dataPlane::connect);
        quiet(bench);
        bench.audit();
        bench.audit();
        quiet(bench);
    }
}
