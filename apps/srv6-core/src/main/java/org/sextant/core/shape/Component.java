// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * A declared part of the objects that {@code O} stands for: a field, or several fields that make one value.
 *
 * @param <O> the type of the object's value
 * @param <T> the value of the component
 */
public abstract class Component<O, T> {
    Component() {}

    /**
     * Empty if there is no value, or problems with it, which are added.
     *
     * @param values the components that are declared before
     */
    abstract Optional<T> read(Values<O> values);

    abstract void write(O object, ObjectNode json);

    /** Adds the fields to the object's schema. */
    abstract void describe(ObjectSchema schema);
}
