// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.sextant.core.json.JsonInput;

/** One of several words, each of which stands for a value. */
public final class Word<T> implements Shape<T> {
    private final List<T> values;
    private final Function<T, String> spelling;
    private final boolean anyCase;

    private Word(List<T> values, Function<T, String> spelling, boolean anyCase) {
        this.values = List.copyOf(values);
        this.spelling = spelling;
        this.anyCase = anyCase;
    }

    /** Messages and schema list the words in the order of {@code values}. */
    public static <T> Word<T> of(List<T> values, Function<T, String> spelling) {
        return new Word<>(values, spelling, false);
    }

    /** A word for true, and one for false. */
    public static Word<Boolean> either(String yes, String no) {
        return new Word<>(List.of(true, false), value -> value ? yes : no, false);
    }

    /** Also reads lower-case words that are written in upper case. */
    public Word<T> inAnyCase() {
        return new Word<>(values, spelling, true);
    }

    @Override
    public Optional<T> read(JsonInput input) {
        JsonNode node = input.node();
        JsonInput text = anyCase && node.isTextual()
                ? new JsonInput(
                        JsonNodeFactory.instance.textNode(node.textValue().toLowerCase(Locale.ROOT)),
                        input.pointer(),
                        input.problems())
                : input;
        return text.word(values, spelling);
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
