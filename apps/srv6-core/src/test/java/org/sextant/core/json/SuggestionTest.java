// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SuggestionTest {
    private static final List<String> NODES = List.of("l1", "l2", "p7", "spine-east");

    @ParameterizedTest
    @CsvSource({
        "l9, l1",
        "p77, p7",
        "P7, p7",
        "spine-wst, spine-east",
        "spinee, ''",
        "zz9, ''",
        "x9, ''",
        "x, ''",
        "'', ''"
    })
    void a_name_is_suggested_only_if_little_is_wrong_with_the_word(String word, String name) {
        assertThat(Suggestion.nearest(word, NODES).orElse("")).isEqualTo(name);
    }

    @Test
    void where_nothing_is_near_all_are_listed_or_the_first_ten() {
        assertThat(Suggestion.of("zz9", NODES, "nodes")).isEqualTo("the nodes are l1, l2, p7, spine-east");
        List<String> many = IntStream.range(0, 12).mapToObj(i -> "h" + i).toList();
        assertThat(Suggestion.of("zz9", many, "hosts"))
                .isEqualTo("the hosts are h0, h1, h2, h3, h4, h5, h6, h7, h8, h9, …");
        assertThat(Suggestion.of("l9", NODES, "nodes")).isEqualTo("did you mean l1?");
    }

    @Test
    void where_there_is_nothing_it_says_so() {
        assertThat(Suggestion.of("l9", List.of(), "nodes")).isEqualTo("the network has no nodes yet");
    }
}
