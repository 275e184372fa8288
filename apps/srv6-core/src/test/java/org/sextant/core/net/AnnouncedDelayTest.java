// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class AnnouncedDelayTest {
    private static final long WINDOW = TimeUnit.SECONDS.toNanos(10);

    private AnnouncedDelay delay = AnnouncedDelay.NONE;
    private long window = 7;
    private long now = Long.MAX_VALUE - 20 * WINDOW; // a clock of any beginning

    /** Windows of these delays, one after the other. */
    private long windows(long... least) {
        for (long one : least) {
            now += WINDOW;
            delay = delay.heard(window++, one, now);
        }
        return delay.micros();
    }

    @Test
    void a_delay_counts_after_three_windows() {
        assertThat(windows(1000, 1000)).isZero();
        assertThat(windows(1100)).isEqualTo(1100);
    }

    @Test
    void a_change_counts_after_three_windows_in_a_row() {
        windows(1000, 1000, 1000);
        assertThat(windows(5000, 5100)).isEqualTo(1000);
        assertThat(windows(5200)).isEqualTo(5200);
        assertThat(windows(1000, 1000)).isEqualTo(5200);
        assertThat(windows(1000)).isEqualTo(1000);
    }

    @Test
    void a_blip_does_not_count() {
        windows(1000, 1000, 1000);
        assertThat(windows(9000, 9000, 1000, 9000, 9000, 1000)).isEqualTo(1000);
    }

    @Test
    void what_goes_up_and_down_does_not_count() {
        windows(1000, 1000, 1000);
        assertThat(windows(2000, 500, 2000, 500, 2000, 500)).isEqualTo(1000);
    }

    @Test
    void a_change_within_10_percent_or_50_microseconds_is_none() {
        windows(1000, 1000, 1000);
        assertThat(windows(1100, 1100, 1100, 1100)).isEqualTo(1000);
        assertThat(windows(1101, 1101, 1101)).isEqualTo(1101);
        delay = AnnouncedDelay.NONE;
        windows(20, 20, 20);
        assertThat(windows(70, 70, 70, 70)).isEqualTo(20);
        assertThat(windows(71, 71, 71)).isEqualTo(71);
    }

    @Test
    void a_window_that_is_told_again_is_nothing_new() {
        windows(1000, 1000, 1000);
        window--;
        windows(5000);
        window--;
        windows(5000);
        window--;
        assertThat(windows(5000)).isEqualTo(1000);
    }

    @Test
    void windows_without_a_measurement_are_no_agreement() {
        windows(1000, 1000, 1000);
        assertThat(windows(5000, 5000, 0, 5000, 5000)).isEqualTo(1000);
        assertThat(windows(5000)).isEqualTo(5000);
    }

    @Test
    void an_announcement_is_not_made_within_30_seconds_of_the_last() {
        windows(1000, 1000, 1000);
        long soon = now;
        for (int i = 1; i <= 10; i++) { // a node with windows of its own
            delay = delay.heard(window++, 5000, soon + i * TimeUnit.SECONDS.toNanos(2));
        }
        assertThat(delay.micros()).isEqualTo(1000);
        assertThat(delay.heard(window, 5000, soon + AnnouncedDelay.PACE.toNanos())
                        .micros())
                .isEqualTo(5000);
    }

    @Test
    void after_a_minute_without_a_measurement_nothing_counts() {
        windows(1000, 1000, 1000);
        long last = now;
        assertThat(delay.at(last + AnnouncedDelay.SILENCE.toNanos() - 1).micros())
                .isEqualTo(1000);
        assertThat(delay.at(last + AnnouncedDelay.SILENCE.toNanos()).micros()).isZero();
        assertThat(windows(0, 0, 0, 0, 0)).isEqualTo(1000);
        assertThat(windows(0)).isZero();
        assertThat(windows(1000, 1000)).isZero();
        assertThat(windows(1000)).isEqualTo(1000);
    }

    @Test
    void an_agent_that_begins_anew_counts_its_windows_anew() {
        windows(1000, 1000, 1000);
        window = 1;
        assertThat(windows(5000, 5000, 5000)).isEqualTo(5000);
    }

    /**
     * For all sequences of measurements: the announced delay was measured, changes are material, and at least 30
     * seconds apart.
     */
    @Test
    void changes_are_few_and_material() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            delay = AnnouncedDelay.NONE;
            now = 0;
            long changed = Long.MIN_VALUE / 2;
            for (int i = 0; i < 200; i++) {
                now += random.nextInt(15) * WINDOW / 10;
                long before = delay.at(now).micros();
                long measured = random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(1 << 1 + random.nextInt(14));
                delay = delay.heard(i, measured, now);
                if (delay.micros() == before) {
                    continue;
                }
                assertThat(delay.micros()).isEqualTo(measured);
                if (before > 0) {
                    long change = Math.abs(measured - before);
                    assertThat(change).isGreaterThan(50).isGreaterThan(before / 10);
                    assertThat(now - changed).isGreaterThanOrEqualTo(AnnouncedDelay.PACE.toNanos());
                }
                changed = now;
            }
        }
    }
}
