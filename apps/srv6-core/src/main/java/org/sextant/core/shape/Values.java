// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.sextant.core.json.Fields;

/** The fields of an object, as read from its document. */
public final class Values<O> {
    private final Fields fields;
    private final String pointer;
    private final Map<Component<O, ?>, Object> byComponent = new HashMap<>();

    /** @param pointer of the object that has the fields */
    Values(Fields fields, String pointer) {
        this.fields = fields;
        this.pointer = pointer;
    }

    Fields fields() {
        return fields;
    }

    String pointer() {
        return pointer;
    }

    <T> void read(Component<O, T> component) {
        component.read(this).ifPresent(value -> byComponent.put(component, value));
    }

    /** The value of a field of an object without problems; the default of an absent one. */
    public <T> T get(Component<O, T> component) {
        return find(component).orElseThrow(() -> new IllegalStateException(component + " was not read"));
    }

    /** As {@link #get}; empty if it could not be read, or is required and absent. */
    @SuppressWarnings("unchecked") // A value is put only beside its component, by read().
    public <T> Optional<T> find(Component<O, T> component) {
        return Optional.ofNullable((T) byComponent.get(component));
    }

    /** The value of an optional field; empty also if it could not be read. */
    public <T> Optional<T> given(Field<O, Optional<T>> field) {
        return find(field).flatMap(value -> value);
    }

    /** True if the document has the field, of this object or of one of its components, with any value but null. */
    public boolean has(Field<?, ?> field) {
        return fields.has(field.name());
    }

    /** The value of a field as the document has it. */
    public Optional<JsonNode> node(Field<?, ?> field) {
        return fields.node(field.name());
    }

    /** A problem with the value of a field. */
    public void invalid(Field<?, ?> field, String message, String remedy) {
        invalid(field, "", message, remedy);
    }

    /**
     * A problem with a part of a field.
     *
     * @param part its pointer in the value of the field: {@code /0/name}
     */
    public void invalid(Field<?, ?> field, String part, String message, String remedy) {
        fields.invalid(fields.pointer(field.name()) + part, message, remedy);
    }

    /** A problem with the object as a whole. */
    public void invalid(String message, String remedy) {
        fields.invalid(pointer, message, remedy);
    }
}
