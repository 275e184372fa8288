// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.sextant.core.json.JsonInput;

/** A shape whose schema has a name and a description; others refer to it by the name. */
public record NamedShape<T>(String name, String description, Shape<T> shape) implements Shape<T> {

    @Override
    public Optional<T> read(JsonInput input) {
        return shape.read(input);
    }

    @Override
    public JsonNode write(T value) {
        return shape.write(value);
    }

    @Override
    public ObjectNode schema(NamedSchemas named) {
        return named.reference(name, () -> {
            ObjectNode described = JsonNodeFactory.instance.objectNode().put("description", description);
            described.setAll(shape.schema(named));
            return described.put("description", description);
        });
    }
}
