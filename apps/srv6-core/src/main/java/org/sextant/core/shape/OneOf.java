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
import java.util.function.Predicate;
import org.sextant.core.json.JsonInput;

/** A value that has several forms in JSON. The first form that a value fits reads it; the first that can, writes it. */
public final class OneOf<T> implements Shape<T> {

    /**
     * One of the forms.
     *
     * @param fits true if the form is meant; its problems are then those of the value. Empty: where it can be read
     * @param to the value that the form stands for
     * @param from the form of a value; empty if it has another form
     */
    private record Form<F, T>(
            Optional<Predicate<JsonNode>> fits, Shape<F> shape, Function<F, T> to, Function<T, Optional<F>> from) {

        boolean accepts(JsonNode node) {
            return fits.map(predicate -> predicate.test(node))
                    .orElseGet(() -> shape.read(new JsonInput(node, "", new ArrayList<>()))
                            .isPresent());
        }

        Optional<T> read(JsonInput input) {
            return shape.read(input).map(to);
        }

        Optional<JsonNode> write(T value) {
            return from.apply(value).map(shape::write);
        }
    }

    private final Function<JsonNode, String> message;
    private final String remedy;
    private final List<Form<?, T>> forms;

    private OneOf(Function<JsonNode, String> message, String remedy, List<Form<?, T>> forms) {
        this.message = message;
        this.remedy = remedy;
        this.forms = List.copyOf(forms);
    }

    /**
     * Without a form yet.
     *
     * @param message about a value that fits none of them, behind the name of its field: {@code 7, which is no protocol}
     */
    public static <T> OneOf<T> otherwise(Function<JsonNode, String> message, String remedy) {
        return new OneOf<>(message, remedy, List.of());
    }

    /** A further form, of values that it can read without a problem. */
    public <F> OneOf<T> form(Shape<F> shape, Function<F, T> to, Function<T, Optional<F>> from) {
        return with(new Form<>(Optional.empty(), shape, to, from));
    }

    /** A further form, for values that match {@code fits}; the form reports the faults of these. */
    public <F> OneOf<T> form(
            Predicate<JsonNode> fits, Shape<F> shape, Function<F, T> to, Function<T, Optional<F>> from) {
        return with(new Form<>(Optional.of(fits), shape, to, from));
    }

    private OneOf<T> with(Form<?, T> form) {
        List<Form<?, T>> all = new ArrayList<>(forms);
        all.add(form);
        return new OneOf<>(message, remedy, all);
    }

    @Override
    public Optional<T> read(JsonInput input) {
        for (Form<?, T> form : forms) {
            if (form.accepts(input.node())) {
                return form.read(input);
            }
        }
        input.invalid("\"" + input.name() + "\" is " + message.apply(input.node()), remedy);
        return Optional.empty();
    }

    @Override
    public JsonNode write(T value) {
        return forms.stream()
                .flatMap(form -> form.write(value).stream())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(value + " has no form in JSON"));
    }

    @Override
    public ObjectNode schema(NamedSchemas named) {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        ArrayNode all = schema.putArray("oneOf");
        forms.forEach(form -> all.add(form.shape().schema(named)));
        return schema;
    }
}
