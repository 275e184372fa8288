// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.describe;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.sextant.kit.app.AppWords;
import org.sextant.kit.app.DocumentWords;
import org.sextant.kit.app.SrApp;

/**
 * The schemas of an app's documents in a list of several kinds. {@code Document} is the union of those of all apps: each
 * fragment has its part, and the northbound joins them.
 */
final class DocumentSchemas {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String REQUIRED = "required";
    private static final String PROPERTIES = "properties";
    private static final String DESCRIPTION = "description";

    private DocumentSchemas() {}

    /** @param schemas has the schema of the intent */
    static void add(SrApp<?> app, ObjectNode schemas) {
        AppWords words = app.words();
        JsonNode intent = schemas.path(words.schema());
        String nameField = words.document().nameField();
        schemas.set(words.schema() + "Spec", spec(intent, nameField));
        schemas.set(
                words.schema() + "Document",
                document(words, intent.path(PROPERTIES).path(nameField)));
        String reference = reference(words.schema() + "Document");
        ObjectNode union = schemas.with("Document");
        union.withArray("oneOf").addObject().put("$ref", reference);
        union.with("discriminator")
                .put("propertyName", "kind")
                .with("mapping")
                .put(words.document().kind(), reference);
    }

    private static String reference(String schema) {
        return "#/components/schemas/" + schema;
    }

    /** The intent without its name. */
    private static ObjectNode spec(JsonNode intent, String nameField) {
        ObjectNode spec = intent instanceof ObjectNode object ? object.deepCopy() : NODES.objectNode();
        if (spec.path(PROPERTIES) instanceof ObjectNode properties) {
            properties.remove(nameField);
        }
        if (spec.remove(REQUIRED) instanceof ArrayNode required) {
            ArrayNode left = NODES.arrayNode();
            required.forEach(name -> {
                if (!name.asText().equals(nameField)) {
                    left.add(name);
                }
            });
            if (!left.isEmpty()) {
                spec.set(REQUIRED, left);
            }
        }
        return spec;
    }

    private static ObjectNode document(AppWords words, JsonNode name) {
        DocumentWords own = words.document();
        ObjectNode document = NODES.objectNode()
                .put("type", "object")
                .put(DESCRIPTION, "a " + words.one() + " in a list of several kinds")
                .put("additionalProperties", false);
        ArrayNode required = document.putArray(REQUIRED);
        ObjectNode properties = document.putObject(PROPERTIES);
        required.add("kind");
        properties
                .putObject("kind")
                .put("type", "string")
                .put(DESCRIPTION, "the kind of the document")
                .putArray("enum")
                .add(own.kind());
        words.within().map(AppWords::one).ifPresent(above -> {
            required.add(above);
            properties
                    .putObject(above)
                    .put("type", "string")
                    .put(DESCRIPTION, "the " + above + " that has the " + words.one());
        });
        required.add("name").add("spec");
        properties.set("name", name(name));
        properties.putObject("spec").put("$ref", reference(words.schema() + "Spec"));
        return document;
    }

    private static ObjectNode name(JsonNode ofIntent) {
        ObjectNode name = ofIntent instanceof ObjectNode object ? object.deepCopy() : NODES.objectNode();
        return name.put("type", "string");
    }
}
