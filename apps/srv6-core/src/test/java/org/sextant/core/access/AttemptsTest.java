// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class AttemptsTest {
    private static final long SECOND = 1_000_000_000L;

    /** Near the end of the clock's range, behind which it goes on below zero. */
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 3 * SECOND);

    private final Attempts attempts = new Attempts(clock::get);

    @Test
    void the_first_ones_cost_nothing_then_each_wait_is_twice_the_last_up_to_a_minute() {
        fail(4, "admin", "192.0.2.1");
        assertThat(attempts.wait("admin", "192.0.2.1")).isZero();
        for (long wait : new long[] {1, 2, 4, 8, 16, 32, 60, 60}) {
            attempts.failed("admin", "192.0.2.1");
            assertThat(attempts.wait("admin", "192.0.2.1")).isEqualTo(wait);
            clock.addAndGet((wait - 1) * SECOND);
            assertThat(attempts.wait("admin", "192.0.2.1")).isEqualTo(1);
            clock.addAndGet(SECOND);
            assertThat(attempts.wait("admin", "192.0.2.1")).isZero();
        }
    }

    @Test
    void the_right_password_forgets_and_so_does_time() {
        fail(9, "admin", "192.0.2.1");
        attempts.succeeded("admin", "192.0.2.1");
        assertThat(attempts.wait("admin", "192.0.2.1")).isZero();
        fail(9, "admin", "192.0.2.1");
        clock.addAndGet(16 * 60 * SECOND);
        attempts.failed("admin", "192.0.2.1");
        assertThat(attempts.wait("admin", "192.0.2.1")).isZero();
    }

    @Test
    void an_address_that_tries_many_names_waits_too() {
        for (int i = 0; i < 25; i++) {
            attempts.failed("user" + i, "192.0.2.1");
        }
        assertThat(attempts.wait("admin", "192.0.2.1")).isEqualTo(32);
        assertThat(attempts.wait("admin", "192.0.2.2")).isZero();
    }

    @Test
    void behind_loopback_nobody_waits_for_another_user() {
        for (String loopback : new String[] {"127.0.0.1", "::1", "127.1.2.3"}) {
            fail(40, "mallory", loopback);
            assertThat(attempts.wait("admin", loopback)).isZero();
            assertThat(attempts.wait("mallory", loopback)).isPositive();
        }
    }

    @Test
    void a_user_is_guessed_at_from_many_addresses_at_a_bounded_rate_and_waits_no_longer_than_seconds() {
        for (int i = 0; i < 200; i++) {
            attempts.failed("admin", "192.0.2." + i);
        }
        assertThat(attempts.wait("admin", "198.51.100.1")).isEqualTo(4);
        assertThat(attempts.wait("viewer", "198.51.100.1")).isZero();
    }

    @Test
    void a_million_names_take_no_more_memory_than_ten_thousand() {
        for (int i = 0; i < 100_000; i++) {
            attempts.failed("x".repeat(10_000) + i, "2001:db8::" + Integer.toHexString(i % 60_000));
        }
        assertThat(attempts.size()).isEqualTo(10_000);
    }

    private void fail(int times, String user, String address) {
        for (int i = 0; i < times; i++) {
            attempts.failed(user, address);
        }
    }
}
