// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DriftCheckScheduleTest {
    private final DriftCheckSchedule pace = new DriftCheckSchedule();

    @Test
    void an_audit_begins_when_it_is_due() {
        assertThat(pace.begins(0)).isTrue();
        assertThat(pace.begins(DriftCheckSchedule.MANY - 1)).isTrue();
    }

    @Test
    void many_who_wait_put_it_off_but_not_for_ever() {
        List<Boolean> begun = IntStream.rangeClosed(0, DriftCheckSchedule.MOST)
                .mapToObj(i -> pace.begins(DriftCheckSchedule.MANY))
                .toList();
        assertThat(begun).hasSize(DriftCheckSchedule.MOST + 1).endsWith(true);
        assertThat(begun.subList(0, DriftCheckSchedule.MOST)).containsOnly(false);
        assertThat(pace.begins(DriftCheckSchedule.MANY))
                .as("from the beginning")
                .isFalse();
    }

    @Test
    void once_they_are_through_it_begins() {
        assertThat(pace.begins(DriftCheckSchedule.MANY)).isFalse();
        assertThat(pace.begins(0)).isTrue();
    }
}
