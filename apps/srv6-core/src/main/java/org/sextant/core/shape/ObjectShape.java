// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.sextant.core.ProblemException;
import org.sextant.core.json.Fields;
import org.sextant.core.json.JsonInput;

/**
 * An object with fields of declared names. Fields are read, written and described in the order of their declaration; any
 * other field is a problem that names the nearest one.
 */
public final class ObjectShape<O> implements Shape<O> {

    /** A rule about several fields of an object; adds a problem if they break it. */
    @FunctionalInterface
    public interface Rule<O> {
        void check(Values<O> values);
    }

    private final List<Field<O, ?>> fields;
    private final Function<Values<O>, O> constructor;
    private final List<Rule<O>> rules;
    private final String description;
    private final Optional<String> name;

    private ObjectShape(
            List<Field<O, ?>> fields,
            Function<Values<O>, O> constructor,
            List<Rule<O>> rules,
            String description,
            Optional<String> name) {
        this.fields = List.copyOf(fields);
        this.constructor = constructor;
        this.rules = List.copyOf(rules);
        this.description = description;
        this.name = name;
    }

    /** @param constructor is called if there is no problem, so that it finds a value of every field */
    public static <O> ObjectShape<O> of(
            String description, List<Field<O, ?>> fields, Function<Values<O>, O> constructor) {
        return new ObjectShape<>(fields, constructor, List.of(), description, Optional.empty());
    }

    /** Checked behind those that it has already, when all fields were read. */
    public ObjectShape<O> rule(Rule<O> rule) {
        List<Rule<O>> all = new ArrayList<>(rules);
        all.add(rule);
        return new ObjectShape<>(fields, constructor, all, description, name);
    }

    /** Gives the schema a name, by which others refer to it. */
    public ObjectShape<O> named(String schema) {
        return new ObjectShape<>(fields, constructor, rules, description, Optional.of(schema));
    }

    /** @throws ProblemException with every problem of the document */
    public O decode(JsonNode document) {
        JsonInput input = new JsonInput(document, "", new ArrayList<>());
        return read(input).orElseThrow(() -> new ProblemException(input.problems()));
    }

    @Override
    public Optional<O> read(JsonInput input) {
        int before = input.problems().size();
        Fields object = new Fields(input.node(), input.pointer(), input.problems());
        if (input.node().isObject()) {
            Values<O> values = new Values<>(object, input.pointer());
            fields.forEach(values::read);
            rules.forEach(rule -> rule.check(values));
            object.finish();
            if (input.problems().size() == before) {
                return Optional.of(constructor.apply(values));
            }
        }
        return Optional.empty();
    }

    @Override
    public ObjectNode write(O object) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        fields.forEach(field -> field.write(object, json));
        return json;
    }

    @Override
    public ObjectNode schema(NamedSchemas named) {
        return name.map(given -> named.reference(given, () -> described(named))).orElseGet(() -> described(named));
    }

    private ObjectNode described(NamedSchemas named) {
        ObjectNode schema = JsonNodeFactory.instance
                .objectNode()
                .put("type", "object")
                .put("description", description)
                .put("additionalProperties", false);
        if (fields.stream().anyMatch(Field::required)) {
            ArrayNode required = schema.putArray("required");
            fields.stream().filter(Field::required).forEach(field -> required.add(field.name()));
        }
        ObjectNode properties = schema.putObject("properties");
        fields.forEach(field -> properties.set(field.name(), field.schema(named)));
        return schema;
    }
}
