// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
class CoalescedTaskTest {
    private final ScheduledExecutorService thread = Daemons.clock("soon");
    private final List<Throwable> failures = new ArrayList<>();

    @AfterEach
    void end() {
        thread.shutdownNow();
    }

    @Test
    void it_runs_once_for_all_who_asked_before_it_began_and_again_for_who_asks_while_it_runs() {
        AtomicInteger runs = new AtomicInteger();
        CoalescedTask[] soon = new CoalescedTask[1];
        soon[0] = new CoalescedTask(
                thread,
                () -> {
                    if (runs.incrementAndGet() == 1) {
                        soon[0].in(Duration.ZERO);
                    }
                },
                failures::add);
        CountDownLatch begin = new CountDownLatch(1);
        thread.execute(() -> await(begin));
        for (int i = 0; i < 10; i++) {
            soon[0].in(Duration.ZERO);
        }
        begin.countDown();
        settled();
        assertThat(runs).hasValue(2);
        assertThat(failures).isEmpty();
    }

    @Test
    void what_it_throws_is_told_and_it_can_be_asked_for_again() {
        AtomicInteger runs = new AtomicInteger();
        CoalescedTask soon = new CoalescedTask(
                thread,
                () -> {
                    throw new IllegalStateException("run " + runs.incrementAndGet());
                },
                failures::add);
        soon.in(Duration.ZERO);
        settled();
        soon.in(Duration.ZERO);
        settled();
        assertThat(failures).extracting(Throwable::getMessage).containsExactly("run 1", "run 2");
        assertThatThrownBy(soon::settle).hasRootCauseMessage("run 3");
    }

    @Test
    void who_asks_when_the_thread_has_ended_is_not_told() {
        thread.shutdownNow();
        new CoalescedTask(thread, () -> {}, failures::add).in(Duration.ZERO);
        assertThat(failures).isEmpty();
    }

    /** Waits until all requested runs, and the ones that they requested, have ended: each is behind one of these. */
    private void settled() {
        for (int i = 0; i < 3; i++) {
            new CoalescedTask(thread, () -> {}, failures::add).settle();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
