// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class OpenApiTest {
    private final ObjectMapper mapper = new ObjectMapper();

    @Test
    void fragments_are_joined_in_alphabetical_order_and_share_a_path() throws Exception {
        JsonNode first = mapper.readTree(
                "{'paths':{'/b':{'get':{'responses':{}}}},'components':{'schemas':{'Y':{}}}}".replace('\'', '"'));
        JsonNode second = mapper.readTree(
                "{'paths':{'/a':{'get':{'responses':{}}},'/b':{'post':{'responses':{}}}},'components':{'schemas':{'X':{}}}}"
                        .replace('\'', '"'));

        JsonNode document = OpenApi.join(List.of(first, second));

        assertThat(document.at("/paths").fieldNames()).toIterable().containsExactly("/a", "/b");
        assertThat(document.at("/paths").get("/b").fieldNames()).toIterable().containsExactly("get", "post");
        assertThat(document.at("/components/schemas").fieldNames()).toIterable().containsExactly("X", "Y");
        assertThat(document.at("/components/securitySchemes/basic/scheme").asText())
                .isEqualTo("basic");
        assertThat(document.at("/openapi").asText()).startsWith("3.");
    }

    @Test
    void members_of_a_union_are_those_of_all_fragments() throws Exception {
        String member =
                "{'components':{'schemas':{'Any':{'oneOf':[{'$ref':'X'}],'discriminator':{'propertyName':'kind','mapping':{'x':'X'}}}}}}"
                        .replace('\'', '"');
        JsonNode union = OpenApi.join(List.of(
                        mapper.readTree(member),
                        mapper.readTree("{\"components\":{\"schemas\":{\"Any\":{\"type\":\"object\"}}}}"),
                        mapper.readTree(member.replace('x', 'y').replace('X', 'Y'))))
                .at("/components/schemas/Any");
        assertThat(union.at("/type").textValue()).isEqualTo("object");
        assertThat(union.get("oneOf").findValuesAsText("$ref")).containsExactly("X", "Y");
        assertThat(union.get("discriminator").toString())
                .isEqualTo("{\"propertyName\":\"kind\",\"mapping\":{\"x\":\"X\",\"y\":\"Y\"}}");
    }

    @Test
    void every_operation_says_how_it_fails() throws Exception {
        JsonNode fragment = mapper.readTree(
                "{'paths':{'/a':{'get':{'responses':{'200':{'description':'x'},'404':{'description':'y'}}}}}}"
                        .replace('\'', '"'));
        JsonNode responses =
                OpenApi.join(List.of(fragment)).at("/paths").get("/a").at("/get/responses");
        assertThat(responses.get("200").has("content")).isFalse();
        for (String status : List.of("401", "404", "default")) {
            assertThat(responses
                            .get(status)
                            .get("content")
                            .get("application/problem+json")
                            .at("/schema/$ref")
                            .asText())
                    .isEqualTo("#/components/schemas/Failure");
        }
    }

    @Test
    void the_own_fragment_describes_every_resource_of_this_bundle() throws Exception {
        JsonNode fragment = mapper.readTree(getClass().getResource("/META-INF/sextant/openapi.json"));
        assertThat(fragment.at("/paths").fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder(
                        "/apply",
                        "/audit",
                        "/cluster",
                        "/entries",
                        "/events",
                        "/health",
                        "/health/live",
                        "/history",
                        "/history/state",
                        "/log",
                        "/metrics",
                        "/nodes",
                        "/nodes/{name}",
                        "/nodes/{name}/entries",
                        "/openapi.json",
                        "/protection",
                        "/bandwidth",
                        "/session",
                        "/store/backups",
                        "/tokens",
                        "/tokens/{id}",
                        "/topology",
                        "/users",
                        "/users/{name}",
                        "/users/{name}/password",
                        "/version");
    }
}
