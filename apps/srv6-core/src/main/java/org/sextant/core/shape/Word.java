// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.sextant.core.json.JsonInput;

/** One of several words, each of which stands for a value. */
public final class Word<T> implements Shape<T> {
    private final List<T> values;
    private final Function<T, String> spelling;

    private Word(List<T> values, Function<T, String> spelling) {
        this.values = List.copyOf(values);
        this.spelling = spelling;
    }

    /** Messages and schema list the words in the order of {@code values}. */
    public static <T> Word<T> of(List<T> values, Function<T, String> spelling) {
        return new Word<>(values, spelling);
    }

    /** A word for true, and one for false. */
    public static Word<Boolean> either(String yes, String no) {
        return new Word<>(List.of(true, false), value -> value ? yes : no);
    }

    @Override
    public Optional<T> read(JsonInput input) {
        return input.word(values, spelling);
    }

    @Override
    public JsonNode write(T value) {
        return JsonNodeFactory.instance.textNode(spelling.apply(value));
    }

    @Override
    public ObjectNode schema(NamedSchemas named) {
        ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "string");
        ArrayNode words = schema.putArray("enum");
        values.forEach(value -> words.add(spelling.apply(value)));
        return schema;
    }
}
