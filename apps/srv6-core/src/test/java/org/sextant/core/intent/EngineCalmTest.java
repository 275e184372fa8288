// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.core.intent.Bench.await;
import static org.sextant.core.intent.Toy.toy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;

/** Slow, hanging and failing calls delay no unrelated work. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EngineCalmTest {
    private static final Toy OVER_C_D = toy("p1", "fd00:1::/64", "c d");

    private Bench bench;

    @AfterEach
    void close() {
        List.of("a", "b", "c", "d").forEach(bench.dataPlane::release);
        bench.close();
    }

    @Test
    void nodes_that_hang_while_they_are_read_hold_up_no_intent_of_others() {
        bench = Bench.started(Bench.QUIET.withNodeThreads(2));
        bench.dataPlane.hold("a");
        bench.dataPlane.hold("b");
        bench.engine.audit();
        bench.submit(OVER_C_D);
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
    }

    @Test
    void a_node_that_hangs_while_it_is_written_holds_up_its_own_intents_only() {
        bench = Bench.started(Bench.QUIET.withSilence(Duration.ofMillis(20)));
        bench.dataPlane.hold("b");
        bench.engine.submit(bench.kind, List.of(toy("p2", "fd00:2::/64", "a b")));
        eventually(() -> isLost("b"));
        await(bench.engine.submit(bench.kind, List.of(OVER_C_D)).settled());
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
        assertThat(bench.status("p2").state()).isEqualTo(IntentState.PENDING);
        bench.dataPlane.release("b");
        eventually(() -> bench.status("p2").state() == IntentState.INSTALLED);
    }

    /** A late answer is out of date: the node is read. */
    @Test
    void a_node_that_answers_late_is_read_before_it_is_written_again() {
        bench = Bench.started(Bench.QUIET.withSilence(Duration.ofMillis(20)));
        int before = bench.dataPlane.reads("b");
        bench.dataPlane.hold("b");
        bench.engine.submit(bench.kind, List.of(toy("p2", "fd00:2::/64", "a b")));
        eventually(() -> isLost("b"));
        assertThat(bench.dataPlane.reads("b"))
                .as("reads while a write is on its way")
                .isEqualTo(before);
        bench.dataPlane.release("b");
        eventually(() -> bench.status("p2").state() == IntentState.INSTALLED);
        assertThat(bench.dataPlane.reads("b")).isGreaterThan(before);
        await(bench.engine.idle());
        assertThat(bench.dataPlane.held("a")).hasSize(2);
    }

    private boolean isLost(String node) {
        return bench.engine.nodes().stream()
                .anyMatch(one -> one.node().equals(node) && one.state() == NodeStatus.State.LOST);
    }

    @Test
    void nodes_that_hang_while_they_are_read_hold_up_no_reading_of_others() {
        bench = Bench.started(Bench.QUIET.withNodeThreads(2));
        int before = bench.dataPlane.reads("d");
        bench.dataPlane.hold("a");
        bench.dataPlane.hold("b");
        bench.engine.audit();
        eventually(() -> bench.dataPlane.reads("d") > before);
    }

    @Test
    void a_node_that_is_still_to_be_read_can_be_written_meanwhile() {
        bench = Bench.started(Bench.QUIET.withNodeThreads(1));
        int before = bench.dataPlane.reads("d");
        bench.dataPlane.hold("a");
        bench.engine.audit();
        CompletableFuture<Void> settled =
                bench.engine.submit(bench.kind, List.of(OVER_C_D)).settled();
        await(settled);
        assertThat(bench.status("p1").state()).isEqualTo(IntentState.INSTALLED);
        assertThat(bench.dataPlane.reads("d")).as("a comes first").isEqualTo(before);
    }

    @Test
    void an_error_ends_neither_audits_nor_anything_else() throws InterruptedException {
        bench = Bench.started(Bench.QUIET.withAuditInterval(Duration.ofMillis(20)));
        bench.submit(OVER_C_D);
        AtomicBoolean armed = new AtomicBoolean(true);
        CountDownLatch thrown = new CountDownLatch(1);
        bench.coordination.secretly(node -> {
            if (armed.getAndSet(false)) {
                thrown.countDown();
                throw new StackOverflowError("once");
            }
            return true;
        });
        assertThat(thrown.await(20, TimeUnit.SECONDS)).isTrue();
        bench.dataPlane.erase("c", OVER_C_D.steering(1).key());
        eventually(
                () -> bench.dataPlane.held("c").containsKey(OVER_C_D.steering(1).key()));
        bench.close(); // only then all events are reported
        assertThat(bench.events)
                .anyMatch(event ->
                        event instanceof EngineEvent.Fault fault && fault.cause() instanceof StackOverflowError);
    }

    @Test
    @Tag("slow")
    void who_lists_many_entries_holds_up_nobody() {
        bench = Bench.started();
        List<Toy> toys = new ArrayList<>();
        for (int i = 0; i < 8_000; i++) {
            toys.add(toy("t" + i, "fd00:" + Integer.toHexString(i) + "::/64", "a b"));
        }
        bench.submit(toys.toArray(Toy[]::new));
        AtomicInteger answers = new AtomicInteger();
        AtomicBoolean listed = new AtomicBoolean();
        CountDownLatch asking = new CountDownLatch(1);
        CompletableFuture<Void> others = CompletableFuture.runAsync(() -> {
            while (!listed.get()) {
                bench.engine.context();
                answers.incrementAndGet();
                asking.countDown();
            }
        });
        assertThat(awaitLatch(asking)).isTrue();
        List<EntryStatus> entries = List.of();
        int meanwhile = 0;
        // On a busy machine the polling thread may not get the processor during one listing.
        for (int listings = 0; listings < 5 && meanwhile <= 10; listings++) {
            int before = answers.get();
            entries = bench.engine.entries(EntryFilter.ALL);
            meanwhile = answers.get() - before;
        }
        listed.set(true);
        await(others);
        assertThat(entries)
                .hasSize(24_000)
                .isSortedAccordingTo((a, b) -> a.node().equals(b.node())
                        ? a.key().compareTo(b.key())
                        : a.node().compareTo(b.node()));
        assertThat(meanwhile)
                .as("questions answered while 24,000 entries were listed")
                .isGreaterThan(10);
    }

    /** A round has room for 4096 intents; the one that takes the row over comes behind them. */
    @ParameterizedTest(name = "the first plan of updates hangs: {0}")
    @ValueSource(booleans = {false, true})
    void a_row_that_goes_from_one_intent_to_another_is_never_gone_however_many_change_in_between(boolean hangs) {
        Exchange kind = new Exchange();
        bench = new Bench(new FakeInventory(Bench.square()), new FakeDataPlane(), new FakeStore(), Bench.QUIET, kind);
        bench.connectAll();
        bench.start();
        List<Toy> toys = new ArrayList<>(List.of(toy("first", "fd00:1::/64", "a b")));
        for (int i = 0; i < 4500; i++) {
            toys.add(toy("t" + i, "fd01:" + Integer.toHexString(i) + "::/64", "b d"));
        }
        toys.add(toy("last", "fd00:2::/64", "a d"));
        bench.submit(toys.toArray(Toy[]::new));
        bench.dataPlane.forgetLog();
        kind.slow = hangs;
        if (hangs) {
            bench.dataPlane.hold("b");
        }
        bench.inventory.link("a", "b", false);
        if (hangs) {
            eventually(kind.last::get);
            bench.dataPlane.release("b");
        }
        bench.settle();
        assertThat(bench.dataPlane.held("a"))
                .containsKeys(
                        toy("", "fd00:1::/64", "a").steering(1).key(),
                        toy("", "fd00:3::/64", "a").steering(1).key());
        assertThat(bench.log())
                .contains("a MODIFY steering_v6 vrf 0 fd00:1::/64")
                .doesNotContain("a DELETE steering_v6 vrf 0 fd00:1::/64");
    }

    /**
     * When the link between a and b fails, the first toy releases its prefix, the last one takes it, and all others
     * change as well.
     */
    private static final class Exchange extends Toy.Kind {
        /** Few are compiled before the first plan of updates is written. */
        volatile boolean slow;

        /** The last toy is compiled for the lost link. */
        final AtomicBoolean last = new AtomicBoolean();

        @Override
        public Plan compile(NumberedIntent<Toy> intent, CompileContext context) {
            boolean up = context.network().linksFrom("a").stream()
                    .anyMatch(link -> link.to().node().equals("b") && link.up());
            Toy toy = intent.intent();
            if (slow) {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
                last.compareAndSet(false, !up && toy.name().equals("last"));
            }
            Toy now = switch (toy.name()) {
                case "first" -> toy("", up ? toy.prefix() : "fd00:3::/64", "a d");
                case "last" -> toy("", up ? toy.prefix() : "fd00:1::/64", "a d");
                default -> toy("", toy.prefix(), up ? "b d" : "b c d");
            };
            return new Plan(
                    List.of(
                            new Plan.Placed(now.head(), now.list(intent.number())),
                            new Plan.Placed(now.head(), now.steering(intent.number()))),
                    Explained.NOTHING,
                    List.of(),
                    List.of(),
                    Dependence.EVERYTHING);
        }
    }

    private static boolean awaitLatch(CountDownLatch latch) {
        try {
            return latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void eventually(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
