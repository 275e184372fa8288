// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.sextant.core.json.JsonInput;

/** A value that is a string or an integer in JSON. An integer stands for its decimal digits. */
public final class NumberOrText<T> implements Shape<T> {
    private final Text<T> text;
    private final IntegerNumber number;
    private final Optional<ToLongFunction<T>> toNumber;

    private NumberOrText(Text<T> text, IntegerNumber number, Optional<ToLongFunction<T>> toNumber) {
        this.text = text;
        this.number = number;
        this.toNumber = toNumber;
    }

    /**
     * Written as a string.
     *
     * @param min the least integer that {@code text} reads
     * @param max the greatest one
     */
    public static <T> NumberOrText<T> of(Text<T> text, long min, long max) {
        return new NumberOrText<>(text, new IntegerNumber(min, max), Optional.empty());
    }

    /** Written as an integer. */
    public NumberOrText<T> writtenAs(ToLongFunction<T> integer) {
        return new NumberOrText<>(text, number, Optional.of(integer));
    }

    @Override
    public Optional<T> read(JsonInput input) {
        return input.node().isIntegralNumber() ? text.read(input, input.node().asText()) : text.read(input);
    }

    @Override
    public JsonNode write(T value) {
        return toNumber.map(integer -> number.write(integer.applyAsLong(value))).orElseGet(() -> text.write(value));
    }

    @Override
    public ObjectNode schema(NamedSchemas named) {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        ArrayNode forms = schema.putArray("oneOf");
        forms.add(number.schema(named)).add(text.schema(named));
        return schema;
    }
}
