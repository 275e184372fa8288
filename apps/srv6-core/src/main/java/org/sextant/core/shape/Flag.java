// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.sextant.core.json.JsonInput;

/** True or false. */
public record Flag() implements Shape<Boolean> {

    @Override
    public Optional<Boolean> read(JsonInput input) {
        return input.bool();
    }

    @Override
    public JsonNode write(Boolean value) {
        return JsonNodeFactory.instance.booleanNode(value);
    }

    @Override
    public ObjectNode schema(NamedSchemas named) {
        return JsonNodeFactory.instance.objectNode().put("type", "boolean");
    }
}
