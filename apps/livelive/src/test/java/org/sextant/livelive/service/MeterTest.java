// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sextant.livelive.service.Meter.Change;
import org.sextant.livelive.service.Meter.Verdict;

class MeterTest {
    private final Meter meter = new Meter(0.2, 0.1);
    private Instant now = Instant.EPOCH;

    /** A reading the given number of seconds after the last one; during it {@code during} packets are sent. */
    private Optional<Change> read(int seconds, long sent, long arrived, long during) {
        now = now.plusSeconds(seconds);
        return meter.take(sent, arrived, sent + during, true, now);
    }

    @Test
    void what_is_sent_while_a_reading_is_made_is_not_lost() {
        read(0, 0, 0, 300);
        for (int i = 1; i <= 20; i++) {
            assertThat(read(2, i * 2000, i * 2000L, 300)).isEmpty();
            assertThat(meter.verdict()).isEqualTo(Verdict.GOOD);
        }
    }

    @Test
    void of_a_path_that_delivers_nothing_it_is_said_once() {
        read(0, 0, 0, 0);
        assertThat(read(2, 100, 100, 0)).isEmpty();
        assertThat(read(2, 200, 100, 0)).isEmpty();
        assertThat(read(2, 300, 100, 0)).contains(new Change(Verdict.GOOD, Verdict.ALL_LOST, 200, 200));
        assertThat(read(2, 400, 100, 0)).isEmpty();
        assertThat(read(2, 500, 110, 0)).isEmpty();
        assertThat(read(2, 600, 201, 0)).contains(new Change(Verdict.ALL_LOST, Verdict.GOOD, 100, 9));
    }

    @Test
    void a_path_that_stops_in_the_middle_of_a_long_time_is_told_as_soon() {
        read(0, 0, 0, 0);
        read(2, 1000, 1000, 0);
        read(2, 2000, 1000, 0);
        assertThat(read(2, 3000, 1000, 0)).isPresent();
    }

    /** The first packets after a pause are in flight over the slower path. */
    @Test
    void a_pause_is_no_reason_to_lose_patience() {
        read(0, 0, 0, 0);
        read(3600, 30, 0, 0);
        assertThat(meter.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(read(2, 2000, 1990, 0)).isEmpty();
        assertThat(meter.verdict()).isEqualTo(Verdict.GOOD);
    }

    /** The path loses 95 of 100: the few arrivals do not bring it up. */
    @Test
    void of_a_path_that_loses_much_it_is_said_once_and_not_taken_back_at_once() {
        read(0, 0, 0, 0);
        long arrived = 0;
        for (int i = 1; i < 5; i++) {
            assertThat(read(2, i * 1000L, arrived += 50, 0)).isEmpty();
        }
        assertThat(read(2, 5000, arrived += 50, 0)).contains(new Change(Verdict.GOOD, Verdict.SOME_LOST, 5000, 4750));
        for (int i = 6; i < 10; i++) {
            assertThat(read(2, i * 1000L, arrived += 850, 0)).isEmpty();
        }
        assertThat(read(2, 10000, arrived += 850, 0)).isEmpty();
        assertThat(meter.verdict()).isEqualTo(Verdict.SOME_LOST);
        for (int i = 11; i < 15; i++) {
            assertThat(read(2, i * 1000L, arrived += 950, 0)).isEmpty();
        }
        assertThat(read(2, 15000, arrived += 950, 0))
                .hasValueSatisfying(change -> assertThat(change.now()).isEqualTo(Verdict.GOOD));
    }

    @Test
    void few_packets_at_a_time_add_up_and_a_pause_means_nothing() {
        read(0, 0, 0, 0);
        for (int i = 1; i < 20; i++) {
            assertThat(read(2, i, 0, 0)).isEmpty();
        }
        assertThat(read(60, 19, 0, 0)).isEmpty();
        assertThat(read(2, 20, 0, 0)).isPresent();
    }

    @Test
    void nodes_that_begin_to_count_anew_lose_nothing_by_that() {
        read(0, 5000, 5000, 0);
        assertThat(read(2, 100, 5100, 0)).isEmpty();
        assertThat(read(2, 200, 100, 0)).isEmpty();
        assertThat(read(2, 300, 200, 0)).isEmpty();
        assertThat(meter.verdict()).isEqualTo(Verdict.GOOD);
    }

    /** The packets that other paths delivered do not show the number of copies sent over this one. */
    @Test
    void without_the_ingress_only_silence_is_told() {
        Meter blind = new Meter(0.2, 0.1);
        for (int i = 0; i <= 20; i++) {
            blind.take(i * 1000L, i * 100L, i * 1000L, false, now.plusSeconds(2 * i));
        }
        assertThat(blind.verdict()).isEqualTo(Verdict.GOOD);
        blind.take(30_000, 2000, 30_000, false, now.plusSeconds(50));
        assertThat(blind.take(40_000, 2000, 40_000, false, now.plusSeconds(52)))
                .hasValueSatisfying(change -> assertThat(change.now()).isEqualTo(Verdict.ALL_LOST));
    }
}
