// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.Problem;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FieldsTest {
    private final List<Problem> problems = new ArrayList<>();

    @Test
    void an_unknown_field_names_the_nearest_known_one() {
        Fields fields = fields("{\"steerin\":1,\"hops\":{}}", "/x");
        fields.text("steering");
        fields.list("hops", (node, at) -> Optional.of(at));
        fields.finish();
        assertThat(problems)
                .extracting(Problem::toString)
                .containsExactly(
                        "/x/hops: \"hops\" wants a list, not an object; write [ … ]",
                        "/x/steerin: unknown field \"steerin\"; did you mean \"steering\"?");
    }

    @Test
    void a_number_without_bounds_is_no_integer() {
        assertThat(fields("{\"n\":" + "9".repeat(40) + "}", "").integer("n", 0, 10, 7))
                .isEqualTo(7);
        assertThat(problems).extracting(Problem::field).containsExactly("/n");
    }

    @Test
    void wrong_types_name_both_types() {
        Fields fields = fields("{\"a\":[],\"b\":\"true\",\"c\":\"blue\"}", "");
        fields.text("a");
        fields.bool("b", false);
        fields.word("c", List.of("black", "white"), word -> word);
        fields.require("d", "give it");
        assertThat(problems)
                .extracting(Problem::toString)
                .containsExactly(
                        "/a: a string is wanted here, not a list; write it in quotes",
                        "/b: \"b\" wants true or false, not the string \"true\"; write true or false without quotes",
                        "/c: \"c\" is \"blue\", which is none of black, white; choose one of them",
                        "/d: \"d\" is missing; give it");
    }

    @Test
    void a_pointer_escapes_what_rfc_6901_wants_escaped() {
        assertThat(fields("{}", "/x").pointer("a/b~c")).isEqualTo("/x/a~1b~0c");
    }

    private Fields fields(String json, String pointer) {
        return new Fields(new BoundedJson(1000, 8).read(json.getBytes(StandardCharsets.UTF_8)), pointer, problems);
    }
}
