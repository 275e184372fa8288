// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.Problem;

@DisplayNameGeneration(ReplaceUnderscores.class)
class TextTest {

    @Test
    void a_column_is_as_wide_as_its_widest_cell_and_lines_end_without_blanks() {
        assertThat(new Columns()
                        .row("id", "state")
                        .row("gold", "")
                        .row("x", "UP", "l1")
                        .text(" "))
                .isEqualTo(" id    state\n gold\n x     UP     l1\n");
    }

    @Test
    @Timeout(20)
    void a_hundred_thousand_rows_are_a_matter_of_moments() {
        Columns columns = new Columns();
        for (int i = 0; i < 100_000; i++) {
            columns.row("policy" + i, "INSTALLED", "h11", "h31", "l1,l2,l3", "40");
        }
        assertThat(columns.text("").lines().count()).isEqualTo(100_000);
    }

    @Test
    void moments_have_no_nanoseconds() {
        Instant moment = Instant.parse("2026-11-22T09:34:45.016170208Z");
        assertThat(Moments.iso(moment)).isEqualTo("2026-11-22T09:34:45.016Z");
        assertThat(Moments.text(moment)).isEqualTo("2026-11-22 09:34:45 UTC");
        assertThat(Moments.text(Moments.iso(moment))).isEqualTo(Moments.text(moment));
    }

    @Test
    void a_pointer_is_for_who_wrote_the_document() {
        List<Problem> problems =
                List.of(new Problem(Problem.Code.UNKNOWN, "/nodes/1", "there is no node \"x9\"", "did you mean l1?"));
        assertThat(ProblemText.inDocument(problems))
                .isEqualTo("/nodes/1: there is no node \"x9\"\n    did you mean l1?\n");
        assertThat(ProblemText.ofWords(problems)).isEqualTo("there is no node \"x9\"\n    did you mean l1?\n");
    }
}
