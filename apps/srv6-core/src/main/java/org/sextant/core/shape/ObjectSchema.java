// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The schema of an object, to which its components are added: properties, and those that are required. */
final class ObjectSchema {

    /**
     * The fields that a form of the object requires.
     *
     * @param all each of them
     * @param any one of them at least, unless there are none
     */
    private record Requirement(List<String> all, List<String> any) {

        Requirement and(Requirement other) {
            List<String> one = any.isEmpty() ? other.any : any;
            if (!any.isEmpty() && !other.any.isEmpty()) {
                throw new IllegalStateException("of " + any + " and of " + other.any + ", one each");
            }
            List<String> both = new ArrayList<>(all);
            both.addAll(other.all);
            return new Requirement(List.copyOf(both), one);
        }

        ObjectNode write(ObjectNode json) {
            if (!all.isEmpty()) {
                ArrayNode names = json.putArray("required");
                all.forEach(names::add);
            }
            if (!any.isEmpty()) {
                ArrayNode alternatives = json.putArray("anyOf");
                any.forEach(
                        name -> alternatives.addObject().putArray("required").add(name));
            }
            return json;
        }
    }

    private final NamedSchemas named;
    private final Map<String, ObjectNode> properties = new LinkedHashMap<>();
    private List<Requirement> forms = List.of(new Requirement(List.of(), List.of()));

    ObjectSchema(NamedSchemas named) {
        this.named = named;
    }

    NamedSchemas named() {
        return named;
    }

    void property(String name, ObjectNode schema, boolean required) {
        ObjectNode before = properties.putIfAbsent(name, schema);
        if (before != null && !before.equals(schema)) {
            throw new IllegalStateException("\"" + name + "\" is declared twice: " + before + " and " + schema);
        }
        if (required) {
            require(List.of(new Requirement(List.of(name), List.of())));
        }
    }

    /** The object has one of the two fields at least. */
    void anyOf(String one, String other) {
        require(List.of(new Requirement(List.of(), List.of(one, other))));
    }

    /** The object has one of these forms. */
    void oneOf(List<? extends ObjectShape<?>> shapes) {
        List<Requirement> all = new ArrayList<>();
        for (ObjectShape<?> shape : shapes) {
            ObjectSchema form = new ObjectSchema(named);
            shape.describe(form);
            form.properties.forEach((name, schema) -> property(name, schema, false));
            all.addAll(form.forms);
        }
        require(all);
    }

    private void require(List<Requirement> further) {
        forms = forms.stream().flatMap(form -> further.stream().map(form::and)).toList();
    }

    ObjectNode toJson(String description) {
        ObjectNode schema = JsonNodeFactory.instance
                .objectNode()
                .put("type", "object")
                .put("description", description)
                .put("additionalProperties", false);
        if (forms.size() == 1) {
            forms.get(0).write(schema);
        }
        ObjectNode all = schema.putObject("properties");
        properties.forEach(all::set);
        if (forms.size() > 1) {
            ArrayNode alternatives = schema.putArray("oneOf");
            forms.forEach(form -> form.write(alternatives.addObject()));
        }
        return schema;
    }
}
