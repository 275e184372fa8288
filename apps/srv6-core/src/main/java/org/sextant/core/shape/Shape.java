// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.sextant.core.json.JsonInput;

/** The declaration of a JSON value: how it is read, written and described. Immutable. */
public interface Shape<T> {

    /** Strictly; empty if there are problems, which are added to those of {@code input}. */
    Optional<T> read(JsonInput input);

    /** Canonical: equal values have equal JSON, in the same order. {@link #read} of it gives an equal value. */
    JsonNode write(T value);

    /**
     * The JSON Schema of the value, as OpenAPI 3.0 has it.
     *
     * @param named gets the schemas that the result refers to
     */
    ObjectNode schema(NamedSchemas named);

    /** The same JSON for another type. {@code from} is the inverse of {@code to}. */
    default <U> Shape<U> as(Function<T, U> to, Function<U, T> from) {
        Shape<T> shape = this;
        return new Shape<>() {
            @Override
            public Optional<U> read(JsonInput input) {
                return shape.read(input).map(to);
            }

            @Override
            public JsonNode write(U value) {
                return shape.write(from.apply(value));
            }

            @Override
            public ObjectNode schema(NamedSchemas named) {
                return shape.schema(named);
            }
        };
    }

    /** With a check of a value that could be read: it adds a problem to those of the input. */
    default Shape<T> checked(BiConsumer<T, JsonInput> check) {
        return readBy(input -> {
            int before = input.problems().size();
            Optional<T> value = read(input);
            value.ifPresent(given -> check.accept(given, input));
            return input.problems().size() > before ? Optional.empty() : value;
        });
    }

    /** With one problem, which has this message, instead of all others about a value that cannot be read. */
    default Shape<T> refusedAs(Function<JsonNode, String> message, String remedy) {
        return readBy(input -> {
            Optional<T> value = read(new JsonInput(input.node(), input.pointer(), new ArrayList<>()));
            if (value.isEmpty()) {
                input.invalid(message.apply(input.node()), remedy);
            }
            return value;
        });
    }

    private Shape<T> readBy(Function<JsonInput, Optional<T>> reader) {
        Shape<T> shape = this;
        return new Shape<>() {
            @Override
            public Optional<T> read(JsonInput input) {
                return reader.apply(input);
            }

            @Override
            public JsonNode write(T value) {
                return shape.write(value);
            }

            @Override
            public ObjectNode schema(NamedSchemas named) {
                return shape.schema(named);
            }
        };
    }
}
