// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
class EngineLoadTest {
    /** Holds the thread until it is released. */
    private record Held(CountDownLatch begun, CountDownLatch end) implements Message {}

    private record Quick() implements Message.Request<Void> {}

    private final EngineThread loop = new EngineThread(
            EngineLoadTest::handle, () -> {}, fault -> {}, Clock.systemUTC(), Optional.<Recorder>empty());

    private static Object handle(Message message) {
        if (message instanceof Held hold) {
            hold.begun().countDown();
            try {
                hold.end().await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return null;
    }

    @Test
    void what_waits_is_counted_while_the_thread_is_held_and_each_hold_when_it_ends() throws Exception {
        Held hold = new Held(new CountDownLatch(1), new CountDownLatch(1));
        loop.post(hold);
        hold.begun().await();
        for (int i = 0; i < 3; i++) {
            loop.post(new Quick());
        }
        assertThat(loop.load().waiting()).isEqualTo(3);
        assertThat(loop.load().held()).isZero();

        for (long from = System.nanoTime();
                System.nanoTime() - from < Duration.ofMillis(20).toNanos(); ) {
            Thread.onSpinWait();
        }
        hold.end().countDown();
        loop.request(new Quick());

        EngineLoad load = loop.load();
        assertThat(load.waiting()).isZero();
        assertThat(load.held()).isGreaterThan(Duration.ofMillis(20));
        assertThat(load.holds().stream().mapToLong(count -> count).sum()).isGreaterThanOrEqualTo(5);
        assertThat(load.holds().subList(2, 6).stream().mapToLong(count -> count).sum())
                .as("holds over 10 ms")
                .isPositive();
        loop.close(Duration.ofSeconds(10));
        loop.post(new Quick());
        assertThat(loop.load().waiting()).as("a closed loop queues nothing").isZero();
    }
}
