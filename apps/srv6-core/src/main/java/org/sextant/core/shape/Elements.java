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
import java.util.function.IntFunction;
import org.sextant.core.json.JsonInput;

/** A list of values of one shape. */
public final class Elements<T> implements Shape<List<T>> {

    /** A rule about several elements of a list; adds a problem if they break it. */
    @FunctionalInterface
    public interface Rule<T> {
        /**
         * @param elements in the order of the list; empty where one could not be read
         * @param inputs the same elements with their places
         */
        void check(List<Optional<T>> elements, List<JsonInput> inputs);
    }

    /** The number of elements of a list. */
    private record Size(int min, int max, IntFunction<String> message, IntFunction<String> remedy) {}

    private record WrongType(Function<JsonNode, String> message, String remedy) {}

    private final Shape<T> element;
    private final Optional<Size> size;
    private final Optional<WrongType> wrongType;
    private final List<Rule<T>> rules;

    private Elements(Shape<T> element, Optional<Size> size, Optional<WrongType> wrongType, List<Rule<T>> rules) {
        this.element = element;
        this.size = size;
        this.wrongType = wrongType;
        this.rules = List.copyOf(rules);
    }

    public static <T> Elements<T> of(Shape<T> element) {
        return new Elements<>(element, Optional.empty(), Optional.empty(), List.of());
    }

    /**
     * A list of {@code min} to {@code max} elements. Rules are not checked for a list of another size.
     *
     * @param message about a list of the given number of elements
     */
    public Elements<T> sized(int min, int max, IntFunction<String> message, IntFunction<String> remedy) {
        return new Elements<>(element, Optional.of(new Size(min, max, message, remedy)), wrongType, rules);
    }

    /** A list of {@code min} elements or more. Rules are not checked for a shorter list. */
    public Elements<T> atLeast(int min, String message, String remedy) {
        return sized(min, Integer.MAX_VALUE, count -> message, count -> remedy);
    }

    /** With a message of its own about a value that is no list. */
    public Elements<T> otherwise(Function<JsonNode, String> message, String remedy) {
        return new Elements<>(element, size, Optional.of(new WrongType(message, remedy)), rules);
    }

    /** Checked behind those that it has already. */
    public Elements<T> rule(Rule<T> rule) {
        List<Rule<T>> all = new ArrayList<>(rules);
        all.add(rule);
        return new Elements<>(element, size, wrongType, all);
    }

    @Override
    public Optional<List<T>> read(JsonInput input) {
        if (!input.node().isArray() && wrongType.isPresent()) {
            input.invalid(
                    wrongType.get().message().apply(input.node()),
                    wrongType.get().remedy());
            return Optional.empty();
        }
        int before = input.problems().size();
        Optional<List<T>> values = input.elements().map(inputs -> read(input, inputs));
        return input.problems().size() > before ? Optional.empty() : values;
    }

    /** Elements of a list that is too long are not read. */
    private List<T> read(JsonInput list, List<JsonInput> inputs) {
        int count = inputs.size();
        Optional<Size> missed = size.filter(bounds -> count < bounds.min() || count > bounds.max());
        missed.ifPresent(bounds ->
                list.invalid(bounds.message().apply(count), bounds.remedy().apply(count)));
        List<Optional<T>> values = missed.isPresent() && count > missed.get().max()
                ? List.of()
                : inputs.stream().map(element::read).toList();
        if (missed.isEmpty()) {
            rules.forEach(rule -> rule.check(values, inputs));
        }
        return values.stream().flatMap(Optional::stream).toList();
    }

    @Override
    public JsonNode write(List<T> value) {
        ArrayNode json = JsonNodeFactory.instance.arrayNode();
        value.forEach(one -> json.add(element.write(one)));
        return json;
    }

    @Override
    public ObjectNode schema(NamedSchemas named) {
        ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "array");
        size.filter(bounds -> bounds.min() > 0).ifPresent(bounds -> schema.put("minItems", bounds.min()));
        size.filter(bounds -> bounds.max() < Integer.MAX_VALUE)
                .ifPresent(bounds -> schema.put("maxItems", bounds.max()));
        schema.set("items", element.schema(named));
        return schema;
    }
}
