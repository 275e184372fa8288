// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.function.Function;

/**
 * Several fields of an object that make one value. In JSON they stand in the object itself, beside its other fields.
 *
 * @param <O> the type of the object's value
 * @param <T> the value of the fields together
 */
public final class FieldGroup<O, T> extends Component<O, T> {
    private final ObjectShape<T> shape;
    private final Function<O, T> getter;

    private FieldGroup(ObjectShape<T> shape, Function<O, T> getter) {
        this.shape = shape;
        this.getter = getter;
    }

    /** The fields of {@code shape}, with its rules. Its name and its description are not used. */
    public static <O, T> FieldGroup<O, T> of(ObjectShape<T> shape, Function<O, T> getter) {
        return new FieldGroup<>(shape, getter);
    }

    @Override
    Optional<T> read(Values<O> values) {
        return shape.read(values.fields(), values.pointer());
    }

    @Override
    void write(O object, ObjectNode json) {
        shape.write(getter.apply(object), json);
    }

    @Override
    void describe(ObjectSchema schema) {
        shape.describe(schema);
    }
}
