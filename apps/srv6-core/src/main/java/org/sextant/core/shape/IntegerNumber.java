// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.sextant.core.json.JsonInput;

/** An integer within bounds, which are part of it. */
public record IntegerNumber(long min, long max) implements Shape<Long> {

    /** One that an {@code int} holds. */
    public static Shape<Integer> between(int min, int max) {
        return new IntegerNumber(min, max).as(Math::toIntExact, Integer::longValue);
    }

    @Override
    public Optional<Long> read(JsonInput input) {
        return input.integer(min, max);
    }

    @Override
    public JsonNode write(Long value) {
        return value == value.intValue()
                ? JsonNodeFactory.instance.numberNode(value.intValue())
                : JsonNodeFactory.instance.numberNode(value.longValue());
    }

    @Override
    public ObjectNode schema(NamedSchemas named) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("type", "integer")
                .put("minimum", min)
                .put("maximum", max);
    }
}
