// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.function.Function;
import org.sextant.core.json.JsonInput;

/** An integer within bounds, which are part of it. */
public record IntegerNumber(long min, long max) implements Shape<Long> {

    /** A number that an {@code int} holds. */
    public static Shape<Integer> between(int min, int max) {
        return new IntegerNumber(min, max).as(Math::toIntExact, Integer::longValue);
    }

    /** As {@link #between(int, int)}, with a message of its own about any other value. */
    public static Shape<Integer> between(int min, int max, Function<JsonNode, String> message, String remedy) {
        return between(min, max).refusedAs(message, remedy);
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
