// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.ProblemException;

@DisplayNameGeneration(ReplaceUnderscores.class)
class PageTest {
    private static final List<String> NAMES = List.of("b", "d", "f", "h", "j");

    @Test
    void without_limits_a_page_is_everything() {
        assertThat(Page.parse(null, null)).isEqualTo(Page.ALL);
        assertThat(Page.ALL.of(NAMES, Function.identity())).isEqualTo(new Page.Part<>(NAMES, Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 100_000})
    void pages_one_behind_the_other_are_everything_once(int limit) {
        List<String> seen = new ArrayList<>();
        Optional<String> after = Optional.empty();
        do {
            Page.Part<String> part = new Page(limit, after).of(NAMES, Function.identity());
            assertThat(part.elements()).hasSizeBetween(1, limit);
            seen.addAll(part.elements());
            after = part.next();
        } while (after.isPresent());
        assertThat(seen).isEqualTo(NAMES);
    }

    @Test
    void what_a_page_starts_behind_need_not_be_there_any_more() {
        assertThat(new Page(2, Optional.of("e")).of(NAMES, Function.identity()).elements())
                .containsExactly("f", "h");
        assertThat(new Page(2, Optional.of("a")).of(NAMES, Function.identity()).elements())
                .containsExactly("b", "d");
        assertThat(new Page(2, Optional.of("z")).of(NAMES, Function.identity()).elements())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "100001", "9999999999", "ten", "1.5", " 1"})
    void a_limit_that_is_none_is_refused(String limit) {
        assertThatThrownBy(() -> Page.parse(limit, null))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("/limit")
                .hasMessageContaining("1 to 100000");
    }
}
