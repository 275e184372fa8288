// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.describe;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Schemas of merge patches (RFC 7396): the properties of the document, none of them required, and each with null, which
 * removes it. Objects within are patches, too; lists and alternatives are replaced as a whole.
 */
final class PatchSchemas {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String REF = "$ref";
    private static final String SCHEMAS = "#/components/schemas/";
    private static final String PROPERTIES = "properties";
    private static final String VALUES = "additionalProperties";
    private static final String NULLABLE = "nullable";

    private final ObjectNode schemas;

    /** @param schemas by name; the patches are added here */
    PatchSchemas(ObjectNode schemas) {
        this.schemas = schemas;
    }

    /** Adds the schema {@code namePatch}, and those that it refers to; one that exists is left as it is. */
    void add(String name) {
        String patch = name + "Patch";
        if (!schemas.has(patch)) {
            ObjectNode schema = schemas.putObject(patch);
            schema.put("type", "object").put("description", "the fields of a " + name + " to change; null removes");
            JsonNode of = schemas.path(name);
            if (of.has("additionalProperties")) {
                schema.set("additionalProperties", of.get("additionalProperties"));
            }
            properties(of, schema);
        }
    }

    private void properties(JsonNode of, ObjectNode schema) {
        if (of.has(PROPERTIES)) {
            ObjectNode properties = schema.putObject(PROPERTIES);
            of.get(PROPERTIES)
                    .fields()
                    .forEachRemaining(field -> properties.set(field.getKey(), patch(field.getValue())));
        }
    }

    private ObjectNode patch(JsonNode value) {
        ObjectNode patch = NODES.objectNode();
        if (value.has(REF)) {
            String name = value.get(REF).textValue().substring(SCHEMAS.length());
            boolean merges = isMerged(schemas.path(name));
            if (merges) {
                add(name);
            }
            patch.putArray("allOf").addObject().put(REF, SCHEMAS + name + (merges ? "Patch" : ""));
        } else {
            patch.setAll((ObjectNode) value.deepCopy());
            if (isMerged(value)) {
                patch.remove("required");
                properties(value, patch);
            }
            if (value.path(VALUES).isObject()) {
                patch.set(VALUES, patch(value.get(VALUES))); // null removes a key
            }
        }
        patch.remove("default"); // an absent field stays as it is
        return patch.put(NULLABLE, true);
    }

    private static boolean isMerged(JsonNode schema) {
        return schema.has(PROPERTIES) && !schema.has("oneOf") && !schema.has("anyOf");
    }
}
