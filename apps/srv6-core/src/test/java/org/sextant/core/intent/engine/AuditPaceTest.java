// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AuditPaceTest {
    private final AuditPace pace = new AuditPace();

    @Test
    void an_audit_begins_when_it_is_due() {
        assertThat(pace.begins(0)).isTrue();
        assertThat(pace.begins(AuditPace.MANY - 1)).isTrue();
    }

    @Test
    void many_who_wait_put_it_off_but_not_for_ever() {
        List<Boolean> begun = IntStream.rangeClosed(0, AuditPace.MOST)
                .mapToObj(i -> pace.begins(AuditPace.MANY))
                .toList();
        assertThat(begun).hasSize(AuditPace.MOST + 1).endsWith(true);
        assertThat(begun.subList(0, AuditPace.MOST)).containsOnly(false);
        assertThat(pace.begins(AuditPace.MANY)).as("from the beginning").isFalse();
    }

    @Test
    void once_they_are_through_it_begins() {
        assertThat(pace.begins(AuditPace.MANY)).isFalse();
        assertThat(pace.begins(0)).isTrue();
    }
}
