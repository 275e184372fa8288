// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.sera.app.HitTimes.Window;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HitTimesTest {
    private final HitTimes sightings = new HitTimes();

    private static Instant at(long second) {
        return Instant.ofEpochSecond(second);
    }

    private HitTimes.Reading look(int version, long hits, long second) {
        return sightings.look("fw", version, Map.of(0, new Counters(hits, 100 * hits)), at(second));
    }

    @Test
    void a_rule_was_hit_between_the_last_two_readings_that_differ() {
        assertThat(look(1, 0, 1).windows()).isEmpty();
        assertThat(look(1, 2, 2).windows()).containsOnly(Map.entry(0, new Window(Optional.of(at(1)), at(2))));
        assertThat(look(1, 2, 3).windows()).containsOnly(Map.entry(0, new Window(Optional.of(at(1)), at(2))));
        assertThat(look(1, 9, 4).windows()).containsOnly(Map.entry(0, new Window(Optional.of(at(3)), at(4))));
    }

    @Test
    void what_was_hit_before_anybody_looked_was_hit_before_then() {
        assertThat(look(1, 5, 7).windows()).containsOnly(Map.entry(0, new Window(Optional.empty(), at(7))));
        assertThat(look(2, 5, 8).windows())
                .as("another version has other rules")
                .containsOnly(Map.entry(0, new Window(Optional.empty(), at(8))));
    }

    @Test
    void a_node_that_counts_less_has_begun_anew() {
        assertThat(look(1, 5, 1).anew()).isEmpty();
        assertThat(look(1, 3, 2).anew()).contains(at(2));
        assertThat(look(1, 3, 3).anew()).as("and that is remembered").contains(at(2));
        assertThat(look(1, 3, 3).windows()).containsOnly(Map.entry(0, new Window(Optional.of(at(1)), at(2))));
        assertThat(look(2, 0, 4).anew()).isEmpty();
    }
}
