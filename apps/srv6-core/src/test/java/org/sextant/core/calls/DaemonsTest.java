// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DaemonsTest {
    private final BlockingQueue<Throwable> told = new LinkedBlockingQueue<>();

    @Test
    void what_a_scheduled_task_throws_is_told_by_its_threads_handler() throws InterruptedException {
        ScheduledExecutorService clock = Daemons.clock("test");
        try {
            clock.execute(
                    () -> Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> told.add(thrown)));
            clock.schedule(
                    () -> {
                        throw new IllegalStateException("once");
                    },
                    0,
                    TimeUnit.MILLISECONDS);
            assertThat(told.poll(10, TimeUnit.SECONDS)).hasMessage("once");
            clock.scheduleWithFixedDelay(
                    () -> {
                        throw new StackOverflowError("deep");
                    },
                    0,
                    1,
                    TimeUnit.MILLISECONDS);
            assertThat(told.poll(10, TimeUnit.SECONDS)).hasMessage("deep");
        } finally {
            clock.shutdownNow();
        }
    }
}
