// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sextant.core.ProblemException;

@DisplayNameGeneration(ReplaceUnderscores.class)
class BoundedJsonTest {
    private final BoundedJson json = new BoundedJson(1024, 8);

    @Test
    void reads_a_document_as_deep_as_allowed() {
        String text = "[".repeat(8) + "]".repeat(8);
        assertThat(json.read(text.getBytes(UTF_8)).toString()).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":1,\"a\":2}         | the field 'a' is there twice",
                "{\"a\":                   | it ends too early",
                "{\"a\":1                  | it ends too early at line 1, column 7; correct the document",
                "{} {}                     | text behind the JSON value",
                "[[[[[[[[[1]]]]]]]]]       | nested deeper than 8 levels",
                "{\"a\":[{\"a\":[{\"a\":[{\"a\":[{\"a\":[]}]}]}]}]} | nested deeper than 8 levels",
                "nonsense                  | not JSON",
                "''                        | the document is empty",
            })
    void refuses_with_a_reason(String text, String reason) {
        assertThatThrownBy(() -> json.read(text.getBytes(UTF_8)))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'a':1}       | ''' where a name in double quotes belongs",
                "{a:1}         | 'a' where a name in double quotes belongs",
                "{\"a\":NaN}   | 'NaN' is no JSON value; text stands in double quotes",
                "{\"a\":01}    | a number with a zero in front",
                "{\"a\":1,}    | '}' where a name in double quotes belongs",
                "{\"a\" 1}     | '1' where a colon belongs",
                "{\"a\":tru}   | 'tru' is no JSON value",
                "{\"a\":/*x*/1} | '/': JSON has no comments",
                "{\"a\":\"\\x\"} | '\\x' is no escape of JSON's",
                "{\"a\":\"\\u12\"} | '\"' where \\u wants four hexadecimal digits",
                "[1 2]         | '2' where a comma or the end belongs",
                "{]            | ']' where '}' belongs",
                "}             | '}' closes nothing",
                "<html>        | '<' belongs to no JSON value here",
            })
    void says_what_is_wrong_in_words_of_its_own(String text, String words) {
        assertThatThrownBy(() -> json.read(text.getBytes(UTF_8)))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("not JSON: " + words)
                .hasMessageContaining("at line 1, column ")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("Feature", "Source", "code ", "token "));
    }

    @Test
    void a_hundred_thousand_brackets_are_refused_and_not_recursed_into() {
        BoundedJson large = new BoundedJson(1 << 20, 64);
        assertThatThrownBy(() -> large.read("[".repeat(100_000).getBytes(UTF_8)))
                .hasMessageContaining("nested deeper than 64");
    }

    @Test
    void reads_no_more_of_a_stream_than_its_limit() {
        ByteArrayInputStream endless = new ByteArrayInputStream(" ".repeat(5000).getBytes(UTF_8));
        assertThatThrownBy(() -> json.read(endless)).hasMessageContaining("larger than 1024 bytes");
        assertThat(endless.available()).isEqualTo(5000 - 1025);
    }

    @Test
    void a_list_is_read_element_by_element() throws java.io.IOException {
        java.util.List<String> elements = new java.util.ArrayList<>();
        new BoundedJson(100, 5)
                .readEach(
                        stream(" [ {\"a\":1}, 2, [] ] "),
                        3,
                        1000,
                        (index, element) -> elements.add(index + " " + element));
        org.assertj.core.api.Assertions.assertThat(elements).containsExactly("0 {\"a\":1}", "1 2", "2 []");
    }

    @Test
    void a_list_is_bounded_in_every_way() {
        refusesList("{}", "not a list");
        refusesList("[1,2,3,4]", "more than 3 elements");
        refusesList("[1", "not JSON");
        refusesList("[1] 2", "behind the JSON value");
        refusesList("[" + "[".repeat(100_000), "nested deeper than 5 levels");
        refusesList("[\"" + "x".repeat(1 << 20) + "\"]", "larger than 100 bytes");
        refusesList("[\"" + "x".repeat(5 << 20) + "\"]", "all of it than 4194304");
        refusesList(" ".repeat(1 << 20) + "[]", "larger than 100 bytes");
    }

    private static void refusesList(String json, String message) {
        org.assertj.core.api.Assertions.assertThatThrownBy(
                        () -> new BoundedJson(100, 5).readEach(stream(json), 3, 1 << 22, (index, element) -> {}))
                .isInstanceOf(org.sextant.core.ProblemException.class)
                .hasMessageContaining(message);
    }

    private static java.io.InputStream stream(String json) {
        return new java.io.ByteArrayInputStream(json.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
}
