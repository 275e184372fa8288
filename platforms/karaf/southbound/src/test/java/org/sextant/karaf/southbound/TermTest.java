// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class TermTest {
    private static final Instant END = Instant.parse("2026-12-24T18:00:00Z");
    private static final Term TERM = new Term("CN=l1", END.minus(Duration.ofDays(90)), END);

    private static String at(Duration before) {
        return TERM.warning("the certificate of the node", END.minus(before)).orElse("");
    }

    @Test
    void the_end_of_a_certificate_is_told_in_steps_that_come_nearer() {
        assertThat(at(Duration.ofDays(31))).isEmpty();
        assertThat(at(Duration.ofDays(30)))
                .isEqualTo(
                        "the certificate of the node, CN=l1, expires on 2026-12-24T18:00:00Z: ./sextant certs rotate makes"
                                + " another");
        assertThat(at(Duration.ofDays(8))).isEqualTo(at(Duration.ofDays(30)));
        assertThat(at(Duration.ofDays(7))).contains("18:00:00Z, in less than 7 days:");
        assertThat(at(Duration.ofHours(24))).contains("18:00:00Z, in less than a day:");
        assertThat(at(Duration.ofSeconds(-1))).contains("expired on 2026-12-24T18:00:00Z:");
    }

    @Test
    void a_clock_that_jumps_is_believed_and_believed_again_when_it_is_right() {
        assertThat(at(Duration.ofDays(91))).contains("is not valid before 2026-09-25T18:00:00Z", "look at the clocks");
        assertThat(at(Duration.ofDays(-400))).contains("expired on");
        assertThat(at(Duration.ofDays(60))).isEmpty();
    }

    @Test
    void what_is_so_is_said_at_once_and_then_every_day_until_it_is_not() {
        Reminders reminders = new Reminders();
        long hour = Duration.ofHours(1).toNanos();
        long begin = Long.MAX_VALUE - hour; // a clock that overflows is none of its business
        assertThat(reminders.due(Set.of("b", "a"), begin)).containsExactly("a", "b");
        assertThat(reminders.due(Set.of("b", "a", "c"), begin + 23 * hour)).containsExactly("c");
        assertThat(reminders.due(Set.of("a", "c"), begin + 24 * hour)).containsExactly("a");
        assertThat(reminders.due(Set.of("b", "a"), begin + 25 * hour))
                .as("it was well meanwhile")
                .containsExactly("b");
        assertThat(reminders.due(Set.of("a", "b"), begin + 48 * hour)).containsExactly("a");
    }
}
