// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.sextant.core.json.JsonInput;

/**
 * The declaration of a field of the objects that {@code O} stands for. A field is absent where the object does not have it,
 * or has null.
 *
 * @param <O> the type of the object's value
 * @param <T> the value of the field, an Optional if it may be absent and has no default
 */
public final class Field<O, T> extends Component<O, T> {
    private final String name;
    private final String description;
    private final Value<O, ?, T> value;
    private final Absence<T> absence;
    private final Function<O, T> getter;
    private final Predicate<O> written;

    /**
     * The value as JSON, and as the field has it.
     *
     * @param reader reads instead of {@code shape}, if other fields decide how
     */
    private record Value<O, F, T>(
            Shape<F> shape,
            Function<F, T> to,
            Function<T, Optional<F>> from,
            Optional<Function<Values<O>, Shape<T>>> reader) {

        Optional<T> read(JsonInput input, Values<O> values) {
            return reader.isPresent()
                    ? reader.get().apply(values).read(input)
                    : shape.read(input).map(to);
        }

        Value<O, F, T> readBy(Function<Values<O>, Shape<T>> other) {
            return new Value<>(shape, to, from, Optional.of(other));
        }

        Optional<JsonNode> write(T value) {
            return from.apply(value).map(shape::write);
        }
    }

    /**
     * An absent field is a problem with a remedy, or means a value.
     *
     * @param described true if the schema has the value as its default
     */
    private record Absence<T>(Optional<String> remedy, Optional<T> value, boolean described) {}

    private Field(
            String name,
            String description,
            Value<O, ?, T> value,
            Absence<T> absence,
            Function<O, T> getter,
            Predicate<O> written) {
        this.name = name;
        this.description = description;
        this.value = value;
        this.absence = absence;
        this.getter = getter;
        this.written = written;
    }

    /** @param remedy of an object without it */
    public static <O, T> Field<O, T> required(
            String name, String description, Shape<T> shape, String remedy, Function<O, T> getter) {
        return new Field<>(
                name,
                description,
                new Value<>(shape, Function.identity(), Optional::of, Optional.empty()),
                new Absence<>(Optional.of(remedy), Optional.empty(), false),
                getter,
                object -> true);
    }

    public static <O, T> Field<O, Optional<T>> optional(
            String name, String description, Shape<T> shape, Function<O, Optional<T>> getter) {
        return new Field<>(
                name,
                description,
                new Value<>(shape, Optional::of, Function.identity(), Optional.empty()),
                new Absence<>(Optional.empty(), Optional.of(Optional.empty()), false),
                getter,
                object -> true);
    }

    /**
     * A field with a default. The field is always written, so that a stored object keeps its meaning if the default
     * changes.
     */
    public static <O, T> Field<O, T> standard(
            String name, String description, Shape<T> shape, T standard, Function<O, T> getter) {
        return new Field<>(
                name,
                description,
                new Value<>(shape, Function.identity(), Optional::of, Optional.empty()),
                new Absence<>(Optional.empty(), Optional.of(standard), true),
                getter,
                object -> true);
    }

    /**
     * Not written where it has its default, nor is that in the schema: an absent field has the same meaning, as for an
     * empty list.
     */
    public Field<O, T> writtenUnlessDefault() {
        T unwritten = absence.value().orElseThrow();
        return new Field<>(
                name,
                description,
                value,
                new Absence<>(Optional.empty(), absence.value(), false),
                getter,
                object -> !getter.apply(object).equals(unwritten));
    }

    /**
     * Reads the value by a shape that depends on the fields declared before this one. Writing and the schema stay.
     *
     * @param shape of the components before, some of which may not be readable
     */
    public Field<O, T> depending(Function<Values<O>, Shape<T>> shape) {
        return new Field<>(name, description, value.readBy(shape), absence, getter, written);
    }

    public String name() {
        return name;
    }

    /** Reports an absent field if it is required; empty if the field has no value then, or cannot be read. */
    @Override
    Optional<T> read(Values<O> values) {
        absence.remedy().ifPresent(remedy -> values.fields().require(name, remedy));
        Optional<JsonInput> input = values.fields().input(name);
        return input.isEmpty() ? absence.value() : value.read(input.get(), values);
    }

    @Override
    void write(O object, ObjectNode json) {
        if (written.test(object)) {
            value.write(getter.apply(object)).ifPresent(given -> json.set(name, given));
        }
    }

    @Override
    void describe(ObjectSchema schema) {
        schema.property(name, schema(schema.named()), absence.remedy().isPresent());
    }

    /**
     * The schema of the value, with the description of the field. A reference has none: OpenAPI 3.0 has nothing beside a
     * reference.
     */
    private ObjectNode schema(NamedSchemas named) {
        ObjectNode schema = value.shape().schema(named);
        if (schema.has("$ref")) {
            return schema;
        }
        ObjectNode described = JsonNodeFactory.instance.objectNode();
        described.put("description", description);
        described.setAll(schema);
        described.put("description", description);
        absence.value()
                .filter(given -> absence.described())
                .flatMap(value::write)
                .ifPresent(given -> described.set("default", given));
        return described;
    }

    @Override
    public String toString() {
        return name;
    }
}
