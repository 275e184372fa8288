// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The schemas of one document that have a name there, and are referred to by it. Not thread-safe. */
public final class NamedSchemas {
    private static final String PLACE = "#/components/schemas/";

    private final SortedMap<String, ObjectNode> byName = new TreeMap<>();

    /** A reference to the schema of this name, which is added at the first one. */
    ObjectNode reference(String name, Supplier<ObjectNode> schema) {
        if (!byName.containsKey(name)) {
            byName.put(name, schema.get());
        }
        return JsonNodeFactory.instance.objectNode().put("$ref", PLACE + name);
    }

    /** All schemas, as {@code components.schemas} has them. */
    public ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        byName.forEach(json::set);
        return json;
    }
}
