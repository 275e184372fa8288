// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A value that has several forms in the fields of an object. The fields of an object that are there decide its form; those
 * of other forms are unknown in it. A field that several forms have is declared equally in each.
 *
 * @param <O> the type of the object's value
 * @param <T> the value of the forms
 */
public final class Forms<O, T> extends Component<O, T> {

    private record Form<O, F, T>(
            Predicate<Values<O>> fits, ObjectShape<F> shape, Function<F, T> to, Function<T, Optional<F>> from) {

        Optional<T> read(Values<O> values) {
            return shape.read(values.fields(), values.pointer()).map(to);
        }

        boolean write(T value, ObjectNode json) {
            Optional<F> own = from.apply(value);
            own.ifPresent(given -> shape.write(given, json));
            return own.isPresent();
        }
    }

    private final Function<O, T> getter;
    private final ObjectShape.Rule<O> rule;
    private final List<Form<O, ?, T>> forms;

    private Forms(Function<O, T> getter, ObjectShape.Rule<O> rule, List<Form<O, ?, T>> forms) {
        this.getter = getter;
        this.rule = rule;
        this.forms = List.copyOf(forms);
    }

    /**
     * Without a form yet.
     *
     * @param rule is checked before the form is chosen, and reports fields that do not go together; a name that it asks
     *     for is known in every form
     */
    public static <O, T> Forms<O, T> of(Function<O, T> getter, ObjectShape.Rule<O> rule) {
        return new Forms<>(getter, rule, List.of());
    }

    /** A further form, of objects that match {@code fits} and no earlier one. Values of the type have this form. */
    public <F extends T> Forms<O, T> form(Predicate<Values<O>> fits, ObjectShape<F> shape, Class<F> type) {
        return form(
                fits,
                shape,
                value -> value,
                value -> Optional.of(value).filter(type::isInstance).map(type::cast));
    }

    /** A further form, of objects that match {@code fits} and no earlier one. The first form that can, writes a value. */
    public <F> Forms<O, T> form(
            Predicate<Values<O>> fits, ObjectShape<F> shape, Function<F, T> to, Function<T, Optional<F>> from) {
        List<Form<O, ?, T>> all = new ArrayList<>(forms);
        all.add(new Form<>(fits, shape, to, from));
        return new Forms<>(getter, rule, all);
    }

    @Override
    Optional<T> read(Values<O> values) {
        int before = values.fields().problems().size();
        rule.check(values);
        Optional<T> value = forms.stream()
                .filter(form -> form.fits().test(values))
                .findFirst()
                .flatMap(form -> form.read(values));
        return values.fields().problems().size() > before ? Optional.empty() : value;
    }

    @Override
    void write(O object, ObjectNode json) {
        T value = getter.apply(object);
        if (forms.stream().noneMatch(form -> form.write(value, json))) {
            throw new IllegalArgumentException(value + " has no form in JSON");
        }
    }

    @Override
    void describe(ObjectSchema schema) {
        schema.oneOf(forms.stream().map(Form::shape).toList());
    }
}
