// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** Requires one of two optional fields, or both. It has no value: it is true where it can be read. */
public final class AnyOf<O> extends Component<O, Boolean> {
    private final Field<?, ?> field;
    private final Field<?, ?> other;
    private final String remedy;

    private AnyOf(Field<?, ?> field, Field<?, ?> other, String remedy) {
        this.field = field;
        this.other = other;
        this.remedy = remedy;
    }

    /**
     * An object with neither is one without {@code field}.
     *
     * @param remedy of such an object
     */
    public static <O> AnyOf<O> of(Field<?, ?> field, Field<?, ?> other, String remedy) {
        return new AnyOf<>(field, other, remedy);
    }

    @Override
    Optional<Boolean> read(Values<O> values) {
        if (!values.has(other)) {
            values.fields().require(field.name(), remedy);
        }
        return Optional.of(true);
    }

    @Override
    void write(O object, ObjectNode json) {}

    @Override
    void describe(ObjectSchema schema) {
        schema.anyOf(field.name(), other.name());
    }
}
