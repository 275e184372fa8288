// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.port.Telemetry.Packets;
import org.sextant.core.port.Telemetry.PortCounters;
import org.sextant.core.port.Telemetry.ProbeCounters;
import org.sextant.core.port.Telemetry.Sample;

@DisplayNameGeneration(ReplaceUnderscores.class)
class RatesTest {
    private static final long SECOND = 1_000_000_000L;
    private final Rates rates = new Rates();

    @Test
    void a_rate_is_what_came_since_the_last_sample() {
        assertThat(rates.take(sample(10 * SECOND, 1000, 2000))).isEmpty();
        assertThat(rates.take(sample(12 * SECOND, 1500, 2000))).containsEntry(1, new Rates.Rate(2000, 0));
        assertThat(rates.take(sample(13 * SECOND, 1500, 3000))).containsEntry(1, new Rates.Rate(0, 8000));
    }

    @Test
    void a_node_that_counts_from_zero_again_has_no_rate_until_the_next_sample() {
        rates.take(sample(10 * SECOND, 1000, 2000));
        assertThat(rates.take(sample(12 * SECOND, 10, 20))).isEmpty();
        assertThat(rates.take(sample(14 * SECOND, 260, 20))).containsEntry(1, new Rates.Rate(1000, 0));
    }

    @Test
    void two_readings_of_one_moment_are_no_rate() {
        rates.take(sample(10 * SECOND, 1000, 2000));
        assertThat(rates.take(sample(10 * SECOND, 2000, 2000))).isEmpty();
    }

    @Test
    void probes_are_told_apart_where_the_node_counts_them_and_are_never_more_than_all() {
        rates.take(probed(10 * SECOND, 1000, 100));
        assertThat(rates.take(probed(12 * SECOND, 1500, 350)))
                .containsEntry(1, new Rates.Rate(2000, 0, Optional.of(new Rates.Rate(1000, 0))));
        assertThat(rates.take(probed(14 * SECOND, 1600, 600)))
                .as("of which some were counted as probes before they were counted")
                .containsEntry(1, new Rates.Rate(400, 0, Optional.of(new Rates.Rate(400, 0))));
        assertThat(rates.take(probed(16 * SECOND, 1700, 10)))
                .as("the program that counts them is another")
                .containsEntry(1, new Rates.Rate(400, 0));
    }

    private static Sample probed(long nanos, long in, long probes) {
        return new Sample(
                "l1",
                nanos,
                Map.of(
                        1,
                        new PortCounters(
                                in,
                                0,
                                Optional.empty(),
                                Optional.of(new ProbeCounters(probes, 0, new Packets(0, 0))))));
    }

    private static Sample sample(long nanos, long in, long out) {
        return new Sample("l1", nanos, Map.of(1, new PortCounters(in, out)));
    }
}
