// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import com.fasterxml.jackson.databind.JsonNode;
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

    private final List<Component<O, ?>> components;
    private final Function<Values<O>, O> constructor;
    private final List<Rule<O>> rules;
    private final Description description;

    /**
     * The texts about the object.
     *
     * @param name of the schema, if it has one
     */
    private record Description(String text, Optional<String> name, Optional<WrongType> wrongType) {}

    private record WrongType(Function<JsonNode, String> message, String remedy) {}

    private ObjectShape(
            List<Component<O, ?>> components,
            Function<Values<O>, O> constructor,
            List<Rule<O>> rules,
            Description description) {
        this.components = List.copyOf(components);
        this.constructor = constructor;
        this.rules = List.copyOf(rules);
        this.description = description;
    }

    /** @param constructor is called if there is no problem, so that it finds a value of every component */
    public static <O> ObjectShape<O> of(
            String description, List<Component<O, ?>> components, Function<Values<O>, O> constructor) {
        return new ObjectShape<>(
                components, constructor, List.of(), new Description(description, Optional.empty(), Optional.empty()));
    }

    /** An object that has no other fields than those of its form. */
    public static <O> ObjectShape<O> of(String description, Forms<O, O> forms) {
        return of(description, List.of(forms), values -> values.get(forms));
    }

    /** Checked behind those that it has already, when all fields were read. */
    public ObjectShape<O> rule(Rule<O> rule) {
        List<Rule<O>> all = new ArrayList<>(rules);
        all.add(rule);
        return new ObjectShape<>(components, constructor, all, description);
    }

    /** Gives the schema a name, by which others refer to it. */
    public ObjectShape<O> named(String schema) {
        return new ObjectShape<>(
                components,
                constructor,
                rules,
                new Description(description.text(), Optional.of(schema), description.wrongType()));
    }

    /** With a message of its own about a value that is no object. */
    public ObjectShape<O> otherwise(Function<JsonNode, String> message, String remedy) {
        return new ObjectShape<>(
                components,
                constructor,
                rules,
                new Description(description.text(), description.name(), Optional.of(new WrongType(message, remedy))));
    }

    @Override
    public <U> ObjectShape<U> as(Function<O, U> to, Function<U, O> from) {
        FieldGroup<U, O> all = FieldGroup.of(this, from);
        return new ObjectShape<>(List.of(all), values -> to.apply(values.get(all)), List.of(), description);
    }

    /** @throws ProblemException with every problem of the document */
    public O decode(JsonNode document) {
        JsonInput input = new JsonInput(document, "", new ArrayList<>());
        return read(input).orElseThrow(() -> new ProblemException(input.problems()));
    }

    @Override
    public Optional<O> read(JsonInput input) {
        if (!input.node().isObject() && description.wrongType().isPresent()) {
            WrongType wrongType = description.wrongType().get();
            input.invalid(wrongType.message().apply(input.node()), wrongType.remedy());
            return Optional.empty();
        }
        int before = input.problems().size();
        Fields object = new Fields(input.node(), input.pointer(), input.problems());
        if (!input.node().isObject()) {
            return Optional.empty();
        }
        Optional<O> value = read(object, input.pointer());
        object.finish();
        return input.problems().size() > before ? Optional.empty() : value;
    }

    /** Reads the components; the object may have other fields. */
    Optional<O> read(Fields object, String pointer) {
        int before = object.problems().size();
        Values<O> values = new Values<>(object, pointer);
        components.forEach(values::read);
        rules.forEach(rule -> rule.check(values));
        return object.problems().size() > before ? Optional.empty() : Optional.of(constructor.apply(values));
    }

    @Override
    public ObjectNode write(O object) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        write(object, json);
        return json;
    }

    void write(O object, ObjectNode json) {
        components.forEach(component -> component.write(object, json));
    }

    @Override
    public ObjectNode schema(NamedSchemas named) {
        return description
                .name()
                .map(given -> named.reference(given, () -> described(named)))
                .orElseGet(() -> described(named));
    }

    private ObjectNode described(NamedSchemas named) {
        ObjectSchema schema = new ObjectSchema(named);
        describe(schema);
        return schema.toJson(description.text());
    }

    void describe(ObjectSchema schema) {
        components.forEach(component -> component.describe(schema));
    }
}
