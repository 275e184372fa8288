// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.history.Amount.Counter;
import org.sextant.core.history.Amount.Level;
import org.sextant.core.history.Amount.Share;

@DisplayNameGeneration(ReplaceUnderscores.class)
class HistoryTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long HOUR = 3600 * SECOND;
    private static final String LINK = "link:a/1-b/1";
    private static final double GAP = Double.NaN;

    /** Clocks that never jump begin anywhere, below zero too. */
    private long now = -5 * SECOND;

    private final History history = new History(1000);

    private void after(long seconds, Reading... readings) {
        now += seconds * SECOND;
        history.take(now, List.of(readings));
    }

    private Reading bytes(long count) {
        return new Reading(LINK, "a", now, Map.of("bytesPerSecond", new Counter(count)));
    }

    /** Rounds in a row, each ten seconds after the one before. */
    private void rounds(int count, LongFunction<Reading> reading) {
        for (int i = 0; i < count; i++) {
            now += 10 * SECOND;
            history.take(now, List.of(reading.apply(i)));
        }
    }

    private double[] last(int count, String quantity) {
        double[] all = history.of(LINK, now, History.STEPS).get(quantity);
        return java.util.Arrays.copyOfRange(all, all.length - count, all.length);
    }

    @Test
    void a_counter_becomes_how_much_it_is_more_in_a_second() {
        rounds(3, i -> bytes(1000 + 2500 * i));
        assertThat(last(3, "bytesPerSecond")).containsExactly(GAP, 250, 250);
    }

    @Test
    void a_counter_that_started_over_is_a_gap_and_no_negative_rate() {
        rounds(2, i -> bytes(5000 + 1000 * i));
        rounds(2, i -> bytes(100 + 1000 * i));
        assertThat(last(4, "bytesPerSecond")).containsExactly(GAP, 100, GAP, 100);
    }

    @Test
    void what_nobody_measured_is_a_gap_and_not_zero() {
        rounds(2, i -> bytes(1000 * i));
        after(10);
        rounds(2, i -> bytes(5000 + 1000 * i));
        assertThat(last(5, "bytesPerSecond")).containsExactly(GAP, 100, GAP, 200, 100);
    }

    @Test
    void the_same_reading_twice_is_no_measurement() {
        rounds(2, i -> bytes(1000 * i));
        long read = now;
        rounds(1, i -> new Reading(LINK, "a", read, Map.of("bytesPerSecond", new Counter(1000))));
        assertThat(last(2, "bytesPerSecond")).containsExactly(100, GAP);
    }

    @Test
    void an_average_over_a_long_absence_is_no_value() {
        rounds(2, i -> bytes(1000 * i));
        after(600, bytes(1_000_000));
        assertThat(last(1, "bytesPerSecond")).containsExactly(GAP);
    }

    @Test
    void two_ends_of_a_link_that_count_in_turn_are_not_compared() {
        rounds(2, i -> bytes(1000 * i));
        rounds(2, i -> new Reading(LINK, "b", now, Map.of("bytesPerSecond", new Counter(9000 + 1000 * i))));
        assertThat(last(4, "bytesPerSecond")).containsExactly(GAP, 100, GAP, 100);
    }

    @Test
    void a_node_whose_clock_is_an_hour_off_or_jumps_by_an_hour_moves_no_value() {
        rounds(2, i -> clocked(HOUR, 1000 * i));
        rounds(1, i -> clocked(-HOUR, 2000));
        rounds(1, i -> clocked(2 * HOUR, 3000));
        rounds(1, i -> clocked(2 * HOUR, 4000));
        assertThat(last(4, "bytesPerSecond")).containsExactly(100, 100, 100, 100);
    }

    private Reading clocked(long off, long count) {
        return new Reading(LINK, "a", now + off, Map.of("bytesPerSecond", new Counter(count)));
    }

    @Test
    void a_source_that_reads_late_says_itself_in_how_long_it_counted() {
        rounds(1, i -> bytes(0));
        long read = now;
        after(13, new Reading(LINK, "a", read + 10 * SECOND, Map.of("bytesPerSecond", new Counter(1000))));
        assertThat(last(1, "bytesPerSecond")).containsExactly(100);
    }

    @Test
    void rounds_that_come_a_bit_late_or_soon_leave_no_gap() {
        for (int i = 0; i < 50; i++) {
            after(i % 2 == 0 ? 6 : 14, bytes(now / SECOND * 100));
        }
        assertThat(last(49, "bytesPerSecond")).doesNotContain(GAP);
    }

    @Test
    void levels_are_kept_as_they_are_and_shares_are_of_what_is_new() {
        rounds(
                3,
                i -> new Reading(
                        LINK,
                        "a",
                        now,
                        Map.of(
                                "delayMicros",
                                new Level(10 + i),
                                "lossPercent",
                                new Share(100 + 5 * i, 1000 + 20 * i))));
        assertThat(last(3, "delayMicros")).containsExactly(10, 11, 12);
        assertThat(last(3, "lossPercent")).containsExactly(GAP, 25, 25);
        rounds(1, i -> new Reading(LINK, "a", now, Map.of("lossPercent", new Share(110, 1040))));
        assertThat(last(1, "lossPercent")).as("nothing was sent").containsExactly(GAP);
        rounds(1, i -> new Reading(LINK, "a", now, Map.of("lossPercent", new Share(130, 1050))));
        assertThat(last(1, "lossPercent")).as("more than all").containsExactly(100);
    }

    @Test
    void points_are_averages_of_what_is_known_and_there_is_no_more_than_an_hour() {
        rounds(2 * History.STEPS, i -> bytes(1000 * i));
        double[] points = history.of(LINK, now, 60).get("bytesPerSecond");
        assertThat(points).hasSize(60).containsOnly(100);
        assertThat(history.of(LINK, now, 7).get("bytesPerSecond")).hasSize(7);
        assertThat(history.of(LINK, now, 1).get("bytesPerSecond")).containsExactly(100);
        assertThat(history.of("link:none", now, 60)).isEmpty();
    }

    @Test
    void a_value_of_a_moment() {
        rounds(10, i -> bytes(1000 * i * i));
        assertThat(history.at(LINK, "bytesPerSecond", now, 0)).isCloseTo(1700, within(0.1));
        assertThat(history.at(LINK, "bytesPerSecond", now, 25 * SECOND)).isCloseTo(1300, within(0.1));
        assertThat(history.at(LINK, "bytesPerSecond", now, HOUR)).isNaN();
        assertThat(history.at(LINK, "packetsPerSecond", now, 0)).isNaN();
    }

    @Test
    void who_is_not_measured_any_more_is_forgotten_after_an_hour() {
        rounds(2, i -> bytes(1000 * i));
        after(3590);
        assertThat(history.series()).isEqualTo(1);
        after(20);
        assertThat(history.series()).isZero();
        assertThat(history.of(LINK, now, 60)).isEmpty();
    }

    @Test
    void there_are_never_more_series_than_was_said_and_who_is_gone_makes_room() {
        History small = new History(4);
        small.take(0, policies(0, 6, 0));
        assertThat(small.series()).isEqualTo(4);
        assertThat(small.leftOut()).isEqualTo(2);
        // Measured policies keep their room however many are added.
        small.take(10 * SECOND, policies(0, 9, 1));
        assertThat(small.of("policy:p0", 10 * SECOND, 1)).isNotEmpty();
        assertThat(small.of("policy:p8", 10 * SECOND, 1)).isEmpty();
        assertThat(small.leftOut()).isEqualTo(5);
        small.take(40 * SECOND, policies(6, 9, 4));
        assertThat(small.series()).isEqualTo(4);
        assertThat(small.leftOut()).isZero();
        assertThat(small.of("policy:p8", 40 * SECOND, 1)).isNotEmpty();
    }

    private static List<Reading> policies(int from, int to, long nanos) {
        List<Reading> readings = new ArrayList<>();
        for (int i = from; i < to; i++) {
            readings.add(new Reading("policy:p" + i, "", nanos, Map.of("delayMicros", new Level(i))));
        }
        return readings;
    }
}
