// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class NodeCallsTest {
    private static final int LIMIT = 3;

    private final CountDownLatch release = new CountDownLatch(1);
    private NodeCalls calls = new NodeCalls("test", LIMIT, Duration.ofHours(1));

    @AfterEach
    void close() {
        release.countDown();
        calls.close();
    }

    @Test
    void no_more_calls_run_at_once_than_the_limit() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        for (int i = 0; i < 100; i++) {
            calls.execute(() -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                Thread.yield();
                running.decrementAndGet();
            });
        }
        calls.close();
        assertThat(most.get()).isBetween(1, LIMIT);
    }

    @Test
    void calls_begin_in_the_order_in_which_they_came() {
        calls.close();
        calls = new NodeCalls("test", 1, Duration.ofHours(1));
        List<Integer> begun = new CopyOnWriteArrayList<>();
        IntStream.range(0, 100).forEach(number -> calls.execute(() -> begun.add(number)));
        calls.close();
        assertThat(begun).isEqualTo(IntStream.range(0, 100).boxed().toList());
    }

    @Test
    void calls_that_hang_hold_up_nobody_for_longer_than_the_patience() throws InterruptedException {
        calls.close();
        calls = new NodeCalls("test", LIMIT, Duration.ofMillis(10));
        CountDownLatch hanging = new CountDownLatch(50);
        for (int i = 0; i < 50; i++) {
            calls.execute(() -> {
                hanging.countDown();
                hang();
            });
        }
        assertThat(hanging.await(20, TimeUnit.SECONDS)).as("all 50 hang").isTrue();
        CountDownLatch healthy = new CountDownLatch(1);
        calls.execute(healthy::countDown);
        assertThat(healthy.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void within_the_patience_others_wait() {
        CountDownLatch fourth = new CountDownLatch(1);
        for (int i = 0; i < LIMIT; i++) {
            calls.execute(this::hang);
        }
        calls.execute(fourth::countDown);
        assertThat(fourth.getCount()).isEqualTo(1);
        release.countDown();
        calls.close();
        assertThat(fourth.getCount()).as("closing lets what came end").isZero();
    }

    @Test
    void a_call_that_fails_gives_its_place_back() throws InterruptedException {
        CountDownLatch after = new CountDownLatch(1);
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {});
        try {
            for (int i = 0; i < 2 * LIMIT; i++) {
                calls.execute(() -> {
                    throw new StackOverflowError();
                });
            }
            calls.execute(after::countDown);
            assertThat(after.await(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void after_closing_nothing_is_taken() {
        calls.close();
        assertThatThrownBy(() -> calls.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void closing_at_once_drops_what_waits_and_interrupts_what_runs() throws InterruptedException {
        CountDownLatch interrupted = new CountDownLatch(LIMIT);
        CountDownLatch running = new CountDownLatch(LIMIT);
        AtomicInteger late = new AtomicInteger();
        for (int i = 0; i < LIMIT; i++) {
            calls.execute(() -> {
                running.countDown();
                if (!hang()) {
                    interrupted.countDown();
                }
            });
        }
        calls.execute(late::incrementAndGet);
        assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();
        calls.closeNow();
        assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
        calls.close();
        assertThat(late.get()).isZero();
    }

    /** False if it was interrupted. */
    private boolean hang() {
        try {
            return release.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }
}
