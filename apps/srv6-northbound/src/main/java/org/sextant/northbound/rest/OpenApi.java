// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Joins OpenAPI fragments into one document. */
final class OpenApi {
    private static final String MEMBERS = "oneOf";
    private static final String DISCRIMINATOR = "discriminator";
    private static final String MAPPING = "mapping";

    private OpenApi() {}

    /**
     * Paths and schemas of all fragments in alphabetical order, behind one title and one security scheme. Answers that
     * all operations share are added here: 401 without a login, and problem+json for errors.
     */
    static ObjectNode join(List<JsonNode> fragments) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("openapi", "3.0.1");
        document.putObject("info")
                .put("title", "Sextant")
                .put("description", "SRv6 intents, the plans they compile to, and what the nodes hold.")
                .put("version", VersionResource.API)
                .putObject("license")
                .put("name", "Apache-2.0");
        document.putArray("servers").addObject().put("url", "/srv6");
        ArrayNode security = document.putArray("security");
        security.addObject().putArray("basic");
        security.addObject().putArray("bearer");
        ObjectNode paths = sorted(fragments, "/paths");
        paths.forEach(path -> path.forEach(operation -> complete((ObjectNode) operation.with("responses"))));
        document.set("paths", paths);
        ObjectNode components = document.putObject("components");
        ObjectNode schemes = components.putObject("securitySchemes");
        schemes.putObject("basic").put("type", "http").put("scheme", "basic");
        schemes.putObject("bearer")
                .put("type", "http")
                .put("scheme", "bearer")
                .put(
                        "description",
                        "a token that was made at /tokens, or a JWT of the issuer that the controller trusts");
        components.set("schemas", sorted(fragments, "/components/schemas"));
        return document;
    }

    private static void complete(ObjectNode responses) {
        if (!responses.has("401")) {
            responses.putObject("401").put("description", "no user, or not with this password or token");
        }
        if (!responses.has("403")) {
            responses.putObject("403").put("description", "the user has not got the role that this needs; it is named");
        }
        responses
                .putObject("default")
                .put("description", "what else HTTP knows; 503 says in Retry-After when to come back");
        responses.fields().forEachRemaining(response -> {
            ObjectNode value = (ObjectNode) response.getValue();
            boolean failure =
                    response.getKey().equals("default") || response.getKey().compareTo("400") >= 0;
            if (failure && !value.has("content")) {
                value.putObject("content")
                        .putObject(ProblemMapper.MEDIA_TYPE)
                        .putObject("schema")
                        .put("$ref", "#/components/schemas/Failure");
            }
        });
    }

    private static ObjectNode sorted(List<JsonNode> fragments, String pointer) {
        Map<String, JsonNode> all = new TreeMap<>();
        for (JsonNode fragment : fragments) {
            Iterator<Map.Entry<String, JsonNode>> fields = fragment.at(pointer).fields();
            while (fields.hasNext()) {
                Map.Entry<String, JsonNode> field = fields.next();
                all.merge(field.getKey(), field.getValue(), OpenApi::merge);
            }
        }
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        all.forEach(object::set);
        return object;
    }

    /** Two fragments may describe methods of the same path, or members of the same union. */
    private static JsonNode merge(JsonNode first, JsonNode second) {
        ObjectNode both = ((ObjectNode) first).deepCopy();
        both.setAll((ObjectNode) second.deepCopy());
        if (first.has(DISCRIMINATOR) || second.has(DISCRIMINATOR)) {
            ArrayNode members = both.putArray(MEMBERS);
            first.path(MEMBERS).forEach(members::add);
            second.path(MEMBERS).forEach(members::add);
            ObjectNode mapping = both.with(DISCRIMINATOR).putObject(MAPPING);
            for (JsonNode one : List.of(first, second)) {
                one.path(DISCRIMINATOR)
                        .path(MAPPING)
                        .fields()
                        .forEachRemaining(entry -> mapping.set(entry.getKey(), entry.getValue()));
            }
        }
        return both;
    }
}
