// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sextant.core.ProblemException;
import org.sextant.core.json.BoundedJson;

@DisplayNameGeneration(ReplaceUnderscores.class)
class FormsTest {
    sealed interface Target {}

    record Host(String address) implements Target {}

    record Group(String name, Optional<Integer> port, Optional<String> socket) implements Target {}

    private static final Field<Host, String> ADDRESS =
            Field.required("address", "its address", Text.upTo(9), "give the address", Host::address);
    private static final Field<Group, String> GROUP =
            Field.required("group", "its name", Text.upTo(9), "name the group", Group::name);
    private static final Field<Group, Optional<Integer>> PORT =
            Field.optional("port", "of all", IntegerNumber.between(1, 65535), Group::port);
    private static final Field<Group, Optional<String>> SOCKET = Field.optional(
            "socket", "by name", Word.of(List.of("web", "dns"), word -> word).inAnyCase(), Group::socket);
    private static final ObjectShape<Target> TARGET = ObjectShape.of(
            "a target",
            Forms.of((Target target) -> target, FormsTest::oneForm)
                    .form(
                            values -> values.has(ADDRESS),
                            ObjectShape.of("a host", List.of(ADDRESS), values -> new Host(values.get(ADDRESS))),
                            Host.class)
                    .form(
                            values -> values.has(GROUP),
                            ObjectShape.of(
                                    "a group",
                                    List.of(GROUP, PORT, SOCKET, AnyOf.of(PORT, SOCKET, "give the port")),
                                    values -> new Group(values.get(GROUP), values.get(PORT), values.get(SOCKET))),
                            Group.class));
    private static final Shape<Target> NAMED = new NamedShape<>("Target", "a host or a group", TARGET);

    private static void oneForm(Values<Target> values) {
        if (values.has(ADDRESS) == values.has(GROUP)) {
            values.invalid("a target is a host or a group", "give address or group");
        }
    }

    private static JsonNode json(String text) {
        return new BoundedJson(1 << 20, 32).read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '#',
            value = {
                "{'address':'h1'}",
                "{'group':'all','port':80}",
                "{'group':'all','socket':'dns'}",
            })
    void an_object_is_read_and_written_in_the_form_that_its_fields_decide(String text) {
        assertThat(TARGET.write(TARGET.decode(json(text)))).hasToString(text.replace('\'', '"'));
    }

    @Test
    void words_in_upper_case_are_written_in_lower_case() {
        assertThat(TARGET.decode(json("{'group':'all','socket':'DNS'}")))
                .isEqualTo(new Group("all", Optional.empty(), Optional.of("dns")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '#',
            value = {
                "{}                            | ''       | a target is a host or a group",
                "{'address':'h','group':'g'}   | ''       | a target is a host or a group",
                "{'address':'h','port':1}      | /port    | unknown field \"port\"",
                "{'group':'g'}                 | /port    | \"port\" is missing",
            })
    void an_object_of_no_form_or_several_is_refused(String text, String field, String message) {
        ProblemException refused = catchThrowableOfType(ProblemException.class, () -> TARGET.decode(json(text)));
        assertThat(refused.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.field()).isEqualTo(field.replace("'", ""));
            assertThat(problem.message()).isEqualTo(message);
        });
    }

    @Test
    void the_schema_has_the_required_fields_of_each_form() {
        NamedSchemas named = new NamedSchemas();
        assertThat(NAMED.schema(named)).isEqualTo(json("{'$ref':'#/components/schemas/Target'}"));
        JsonNode schema = json(named.toJson().toString()).get("Target");
        assertThat(schema.get("description").textValue()).isEqualTo("a host or a group");
        assertThat(schema.get("properties").fieldNames())
                .toIterable()
                .containsExactly("address", "group", "port", "socket");
        assertThat(schema.get("oneOf"))
                .isEqualTo(json("[{'required':['address']},"
                        + "{'required':['group'],'anyOf':[{'required':['port']},{'required':['socket']}]}]"));
    }
}
