// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.GenericServlet;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class SuccessionTest {
    private final Counting first = new Counting();
    private final Counting second = new Counting();
    private final Succession applications = new Succession(first);

    @Test
    void a_request_that_takes_its_time_holds_up_neither_the_change_nor_who_comes_after_it() throws Exception {
        first.gate = new CountDownLatch(1);
        CompletableFuture<Void> slow = CompletableFuture.runAsync(this::request);
        assertThat(first.entered.await(20, TimeUnit.SECONDS)).isTrue();
        applications.follow(second);
        request();
        assertThat(second.served.get()).isEqualTo(1);
        assertThat(first.destroyed.get()).as("it still serves").isZero();
        first.gate.countDown();
        slow.get(20, TimeUnit.SECONDS);
        assertThat(first.destroyed.get()).isEqualTo(1);
        assertThat(second.destroyed.get()).isZero();
    }

    @Test
    void a_servlet_without_requests_ends_at_once_and_only_once() {
        applications.follow(second);
        applications.end();
        assertThat(first.destroyed.get()).isEqualTo(1);
        assertThat(second.destroyed.get()).isEqualTo(1);
    }

    @Test
    void requests_that_come_while_servlets_change_are_all_served_by_one_that_is_alive() throws Exception {
        AtomicInteger failures = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(4);
        for (int thread = 0; thread < 4; thread++) {
            CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 5000; i++) {
                    try {
                        request();
                    } catch (IllegalStateException dead) {
                        failures.incrementAndGet();
                    }
                }
                done.countDown();
            });
        }
        while (!done.await(0, TimeUnit.SECONDS)) {
            applications.follow(new Counting());
        }
        assertThat(failures.get()).isZero();
    }

    private void request() {
        try {
            applications.service(null, null);
        } catch (ServletException | IOException e) {
            throw new AssertionError(e);
        }
    }

    private static final class Counting extends GenericServlet {
        private static final long serialVersionUID = 1L;

        private final transient CountDownLatch entered = new CountDownLatch(1);
        private final AtomicInteger served = new AtomicInteger();
        private final AtomicInteger destroyed = new AtomicInteger();
        private transient volatile CountDownLatch gate = new CountDownLatch(0);

        @Override
        public void service(ServletRequest request, ServletResponse response) {
            entered.countDown();
            try {
                assertThat(gate.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            if (destroyed.get() > 0) {
                throw new IllegalStateException("destroyed");
            }
            served.incrementAndGet();
        }

        @Override
        public void destroy() {
            destroyed.incrementAndGet();
        }
    }
}
