// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.sextant.core.intent.Toy.toy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;

/** Readers get the state that the engine's thread published last, and never wait for that thread. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
class EngineReadersTest {
    private static final Duration AT_ONCE = Duration.ofSeconds(5);

    /** A kind whose compiler holds the engine's thread until it is let go. */
    private static final class SlowKind extends Toy.Kind {
        final CountDownLatch compiling = new CountDownLatch(1);
        final CountDownLatch go = new CountDownLatch(1);
        volatile boolean slow;

        @Override
        public Plan compile(NumberedIntent<Toy> intent, CompileContext context) {
            if (slow) {
                compiling.countDown();
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return super.compile(intent, context);
        }
    }

    private final SlowKind kind = new SlowKind();
    private final Bench bench =
            new Bench(new FakeInventory(Bench.square()), new FakeDataPlane(), new FakeStore(), Bench.QUIET, kind);

    @Test
    void nodes_intents_and_the_network_are_read_while_the_thread_is_at_work() throws InterruptedException {
        try (bench) {
            bench.connectAll();
            bench.start();
            bench.submit(toy("p1", "fd00:1::/64", "a b"));
            bench.settle();
            kind.slow = true;
            CompletableFuture<Submission<Toy>> submission = CompletableFuture.supplyAsync(
                    () -> bench.engine.submit(kind, List.of(toy("p2", "fd00:2::/64", "a c"))));
            kind.compiling.await();
            assertTimeoutPreemptively(AT_ONCE, () -> {
                assertThat(bench.engine.nodes())
                        .extracting(node -> node.node() + " " + node.state() + " " + node.entries() + " "
                                + node.contact().waiting())
                        .containsExactly("a SYNCED 2 0", "b SYNCED 1 0", "c SYNCED 0 0", "d SYNCED 0 0");
                assertThat(bench.engine.context().network()).isEqualTo(bench.inventory.snapshot());
                assertThat(bench.engine.context().capabilities("a")).isEmpty();
                assertThat(bench.engine.list(kind)).extracting(IntentStatus::id).containsExactly("p1");
                assertThat(bench.engine.referers(new IntentRef(kind.name(), "p1")))
                        .isEmpty();
                assertThat(bench.engine.context().followed("color 7")).isEmpty();
            });
            kind.go.countDown();
            Bench.await(submission.join().settled());
            bench.settle();
            assertThat(bench.engine.nodes())
                    .extracting(node -> node.node() + " " + node.entries())
                    .containsExactly("a 4", "b 1", "c 1", "d 0");
        }
    }

    @Test
    void nodes_that_never_connected_are_listed_and_those_that_left_the_network_are_not() {
        try (bench) {
            bench.start();
            assertThat(bench.engine.nodes())
                    .extracting(node -> node.node() + " " + node.state())
                    .containsExactly("a LOST", "b LOST", "c LOST", "d LOST");
            List<Node> rest = bench.inventory.snapshot().nodes().values().stream()
                    .filter(node -> !node.name().equals("d"))
                    .toList();
            bench.inventory.set(new Network(rest, List.of(), List.of()));
            bench.settle();
            assertThat(bench.engine.nodes()).extracting(NodeStatus::node).containsExactly("a", "b", "c");
        }
    }
}
