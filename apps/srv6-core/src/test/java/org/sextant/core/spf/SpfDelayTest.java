// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.spf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** RFC 8405, section 5, with the default values of its section 6. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class SpfDelayTest {
    private static final SpfDelay.Timers RFC = timers(50, 200, 5000, 500, 10_000);

    private static SpfDelay.Timers timers(long initial, long shortDelay, long longDelay, long learn, long holddown) {
        return new SpfDelay.Timers(
                Duration.ofMillis(initial),
                Duration.ofMillis(shortDelay),
                Duration.ofMillis(longDelay),
                Duration.ofMillis(learn),
                Duration.ofMillis(holddown));
    }

    /** The delays, in milliseconds, after changes at these times. */
    private static List<Long> delays(long... times) {
        List<Long> delays = new ArrayList<>();
        SpfDelay state = new SpfDelay(RFC);
        for (long now : times) {
            SpfDelay.Step step = state.changed(now);
            state = step.after();
            delays.add(step.delay().toMillis());
        }
        return delays;
    }

    @Test
    void the_first_change_has_the_initial_delay() {
        assertThat(delays(0)).containsExactly(50L);
        assertThat(delays(-5)).containsExactly(50L);
    }

    @Test
    void changes_within_the_time_to_learn_have_the_short_delay() {
        assertThat(delays(1000, 1001, 1499)).containsExactly(50L, 200L, 200L);
    }

    @Test
    void later_changes_have_the_long_delay() {
        assertThat(delays(1000, 1500, 1501, 9000)).containsExactly(50L, 5000L, 5000L, 5000L);
    }

    @Test
    void the_time_to_learn_begins_with_the_first_change_only() {
        assertThat(delays(0, 400, 600)).containsExactly(50L, 200L, 5000L);
    }

    @Test
    void a_network_that_was_calm_for_the_hold_down_begins_anew() {
        assertThat(delays(0, 10_000)).containsExactly(50L, 50L);
        assertThat(delays(0, 600, 10_599)).containsExactly(50L, 5000L, 5000L);
        assertThat(delays(0, 600, 10_600, 10_700)).containsExactly(50L, 5000L, 50L, 200L);
    }

    @Test
    void every_change_begins_the_hold_down_anew() {
        assertThat(delays(0, 9_999, 19_998, 29_997, 39_997)).containsExactly(50L, 5000L, 5000L, 5000L, 50L);
    }

    @Test
    void timers_that_contradict_each_other_are_refused() {
        assertThatThrownBy(() -> timers(-1, 200, 5000, 500, 10_000)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> timers(300, 200, 5000, 500, 10_000)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> timers(50, 200, 100, 500, 10_000)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> timers(50, 200, 5000, -1, 10_000)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> timers(50, 200, 5000, 500, 500)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> timers(50, 200, 5000, 500, 5000)).isInstanceOf(IllegalArgumentException.class);
    }
}
