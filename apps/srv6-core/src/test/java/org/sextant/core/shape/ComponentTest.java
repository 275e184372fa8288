// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sextant.core.ProblemException;
import org.sextant.core.json.BoundedJson;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ComponentTest {
    record Server(String name, Socket socket, List<Integer> weights) {}

    record Socket(boolean udp, int port) {}

    private static final Field<Socket, Boolean> UDP =
            Field.standard("transport", "carries the packets", Word.either("udp", "tcp"), false, Socket::udp);
    private static final Field<Socket, Integer> PORT = Field.required(
                    "port", "its port", IntegerNumber.between(1, 65535), "give the port", Socket::port)
            .depending(values -> IntegerNumber.between(1, 65535).checked((port, input) -> {
                if (port == 22 && values.find(UDP).orElse(false)) {
                    input.invalid("/no", "SSH has no port of UDP", "choose another");
                }
            }));
    private static final ObjectShape<Socket> SOCKET = ObjectShape.<Socket>of(
                    "a socket", List.of(UDP, PORT), values -> new Socket(values.get(UDP), values.get(PORT)))
            .rule(values -> {
                if (values.find(PORT).filter(port -> port == 1).isPresent()) {
                    values.invalid(PORT, "port 1 is reserved", "choose another");
                }
            });

    private static final Field<Server, String> NAME =
            Field.required("name", "becomes the id", Text.upTo(9), "name it", Server::name);
    private static final FieldGroup<Server, Socket> SOCKET_GROUP = FieldGroup.of(SOCKET, Server::socket);
    private static final Field<Server, List<Integer>> WEIGHTS = Field.standard(
                    "weights",
                    "shares of the load",
                    Elements.of(IntegerNumber.between(0, 9)
                            .refusedAs(node -> node + " is no weight", "write a number from 0 to 9")),
                    List.<Integer>of(),
                    Server::weights)
            .writtenUnlessDefault();
    private static final ObjectShape<Server> SERVER = ObjectShape.<Server>of(
                    "a server",
                    List.of(NAME, SOCKET_GROUP, WEIGHTS),
                    values -> new Server(values.get(NAME), values.get(SOCKET_GROUP), values.get(WEIGHTS)))
            .otherwise(node -> "a server is an object, not " + node, "write {\"name\": …}")
            .named("Server");

    private static JsonNode json(String text) {
        return new BoundedJson(1 << 20, 32).read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void fields_of_a_group_stand_in_the_object_itself() {
        Server server = new Server("dns", new Socket(true, 53), List.of(1, 2));
        String text = "{'name':'dns','transport':'udp','port':53,'weights':[1,2]}";
        assertThat(SERVER.decode(json(text))).isEqualTo(server);
        assertThat(SERVER.write(server)).hasToString(text.replace('\'', '"'));
        assertThat(SERVER.decode(json("{'name':'web','port':80}")).socket()).isEqualTo(new Socket(false, 80));
    }

    @Test
    void fields_of_a_group_are_described_as_those_of_the_object() {
        NamedSchemas named = new NamedSchemas();
        SERVER.schema(named);
        assertThat(json(named.toJson().toString())).isEqualTo(json("""
                {'Server': {'type': 'object', 'description': 'a server', 'additionalProperties': false,
                  'required': ['name', 'port'],
                  'properties': {
                    'name': {'description': 'becomes the id', 'type': 'string', 'maxLength': 9},
                    'transport': {'description': 'carries the packets', 'type': 'string', 'enum': ['udp', 'tcp'],
                      'default': 'tcp'},
                    'port': {'description': 'its port', 'type': 'integer', 'minimum': 1, 'maximum': 65535},
                    'weights': {'description': 'shares of the load', 'type': 'array',
                      'items': {'type': 'integer', 'minimum': 0, 'maximum': 9}}}}}
                """));
    }

    @Test
    void an_object_of_another_type_has_the_same_fields_schema_and_problems() {
        ObjectShape<List<Server>> alone = SERVER.as(List::of, servers -> servers.get(0));
        String text = "{'name':'web','transport':'tcp','port':80}";
        assertThat(alone.write(alone.decode(json(text)))).hasToString(text.replace('\'', '"'));
        assertThat(alone.decode(json(text))).containsExactly(SERVER.decode(json(text)));
        NamedSchemas named = new NamedSchemas();
        NamedSchemas original = new NamedSchemas();
        alone.schema(named);
        SERVER.schema(original);
        assertThat(named.toJson()).isEqualTo(original.toJson());
        ProblemException refused = catchThrowableOfType(ProblemException.class, () -> alone.decode(json("7")));
        assertThat(refused.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).isEqualTo("a server is an object, not 7"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '#',
            value = {
                "[]                                         |         |a server is an object, not []|write {\"name\": …}",
                "{'name':'a'}                               |/port    |\"port\" is missing|give the port",
                "{'name':'a','port':1}                      |/port    |port 1 is reserved|choose another",
                "{'name':'a','port':22,'transport':'udp'}   |/port/no |SSH has no port of UDP|choose another",
                "{'name':'a','port':22,'transport':'upd'}   |/transport|\"transport\" is \"upd\", which is none of udp, tcp|choose one of them",
                "{'name':'a','port':2,'weights':['much']}   |/weights/0|\"much\" is no weight|write a number from 0 to 9",
                "{'name':'a','port':2,'sort':1}             |/sort    |unknown field \"sort\"|did you mean \"port\"?",
            })
    void a_fault_of_a_group_is_reported_as_one_of_the_object(String text, String field, String message, String remedy) {
        ProblemException refused = catchThrowableOfType(ProblemException.class, () -> SERVER.decode(json(text)));
        assertThat(refused.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.field()).isEqualTo(field == null ? "" : field);
            assertThat(problem.message()).isEqualTo(message);
            assertThat(problem.remedy()).isEqualTo(remedy);
        });
    }

    @Test
    void unreadable_fields_of_a_group_are_reported_in_the_order_of_declaration() {
        ProblemException refused = catchThrowableOfType(
                ProblemException.class,
                () -> SERVER.decode(json("{'extra':1,'weights':7,'port':0,'transport':'x','name':3}")));
        assertThat(refused.problems())
                .extracting(problem -> problem.field())
                .containsExactly("/name", "/transport", "/port", "/weights", "/extra");
    }
}
