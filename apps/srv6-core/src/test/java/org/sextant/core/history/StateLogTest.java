// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class StateLogTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void the_states_of_a_moment_are_those_that_things_had_then() {
        StateLog log = new StateLog(0, 10, 10);
        log.set(SECOND, "link:a-b", "UP");
        log.set(SECOND, "node:a", "SYNCED");
        log.set(5 * SECOND, "link:a-b", "DOWN");
        log.set(7 * SECOND, "link:a-b", "UP");
        log.set(8 * SECOND, "node:a", StateLog.GONE);
        assertThat(log.at(0)).hasValue(new TreeMap<>());
        assertThat(log.at(4 * SECOND)).hasValue(new TreeMap<>(Map.of("link:a-b", "UP", "node:a", "SYNCED")));
        assertThat(log.at(5 * SECOND)).hasValue(new TreeMap<>(Map.of("link:a-b", "DOWN", "node:a", "SYNCED")));
        assertThat(log.at(9 * SECOND)).hasValue(new TreeMap<>(Map.of("link:a-b", "UP")));
        assertThat(log.at(-1)).as("before it began").isEmpty();
    }

    @Test
    void the_same_state_again_is_no_change() {
        StateLog log = new StateLog(0, 10, 10);
        List.of("UP", "UP", "UP").forEach(state -> log.set(SECOND, "link:a-b", state));
        log.set(SECOND, "link:c-d", StateLog.GONE);
        assertThat(log.changes()).isEqualTo(1);
    }

    @Test
    void ten_thousand_changes_a_minute_shorten_how_far_it_reaches_and_nothing_grows() {
        StateLog log = new StateLog(0, 1000, 20_000);
        long now = 0;
        for (int i = 0; i < 600_000; i++) {
            now += 6 * SECOND / 1000;
            log.set(now, "policy/" + i % 5000, i % 3 == 0 ? StateLog.GONE : i % 3 == 1 ? "INSTALLED" : "FAILED");
        }
        assertThat(log.changes()).isEqualTo(20_000);
        assertThat(log.leftOut()).isPositive();
        assertThat(log.at(log.from(now) - 1)).isEmpty();
        assertThat(log.at(log.from(now))).isPresent();
        assertThat(log.at(now).orElseThrow()).hasSizeLessThanOrEqualTo(1000);
    }

    @Test
    void changes_older_than_an_hour_leave_and_their_states_stay() {
        StateLog log = new StateLog(0, 10, 10);
        log.set(SECOND, "link:a-b", "DOWN");
        log.set(2 * StateLog.KEPT_NANOS, "link:c-d", "UP");
        assertThat(log.changes()).isEqualTo(1);
        assertThat(log.from(2 * StateLog.KEPT_NANOS)).isEqualTo(StateLog.KEPT_NANOS);
        assertThat(log.at(StateLog.KEPT_NANOS)).hasValue(new TreeMap<>(Map.of("link:a-b", "DOWN")));
    }
}
