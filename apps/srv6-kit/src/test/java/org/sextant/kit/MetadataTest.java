// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.shape.FieldGroup;
import org.sextant.core.shape.ObjectShape;

@DisplayNameGeneration(ReplaceUnderscores.class)
class MetadataTest {
    record Server(Metadata metadata) {}

    private static final FieldGroup<Server, Metadata> METADATA = Metadata.fields(Server::metadata);
    private static final ObjectShape<Server> SERVER =
            ObjectShape.of("a server", List.of(METADATA), values -> new Server(values.get(METADATA)));

    private static ObjectNode labeled(String key, String value) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.putObject("labels").put(key, value);
        return json;
    }

    private static List<Problem> problems(ObjectNode json) {
        return catchThrowableOfType(ProblemException.class, () -> SERVER.decode(json))
                .problems();
    }

    @ParameterizedTest
    @CsvSource({"app,web", "example.com/app,''", "a-b.c/A_1.b,9", "x,a.b_c-D"})
    void labels_are_written_as_they_were_read(String key, String value) {
        ObjectNode json = labeled(key, value).put("description", "in rack 4");
        assertThat(SERVER.write(SERVER.decode(json))).isEqualTo(json);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/a", "a/", "a/b/c", "-a", "a-", "A.com/app", "a..b/app", "a b", "ä"})
    void keys_have_the_syntax_of_kubernetes(String key) {
        assertThat(problems(labeled(key, "v")))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).isEqualTo("\"" + key + "\" is no key of a label"));
    }

    @Test
    void lengths_are_bounded() {
        SERVER.decode(labeled("a".repeat(253) + "/" + "b".repeat(63), "c".repeat(63)));
        assertThat(problems(labeled("a".repeat(254) + "/b", "c"))).hasSize(1);
        assertThat(problems(labeled("a".repeat(64), "c"))).hasSize(1);
        assertThat(problems(labeled("a", "c".repeat(64)))).hasSize(1);
        assertThat(problems(labeled("a", "b").put("description", "d".repeat(201))))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-a", "a-", "a/b", " "})
    void values_have_the_syntax_of_kubernetes(String value) {
        assertThat(problems(labeled("a", value)))
                .singleElement()
                .satisfies(problem -> assertThat(problem.field()).isEqualTo("/labels/a"));
    }

    @Test
    void ten_thousand_labels_are_one_problem() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ObjectNode labels = json.putObject("labels");
        for (int i = 0; i < 10_000; i++) {
            labels.put("l" + i, "-");
        }
        assertThat(problems(json))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).isEqualTo("10000 labels are given"));
    }

    @Test
    void absent_metadata_are_not_written() {
        assertThat(SERVER.write(new Server(Metadata.NONE)).toString()).isEqualTo("{}");
    }
}
