// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;

/**
 * Reads the fields of one JSON object, strictly: an unknown field is a problem that names the nearest known one, a
 * wrong type is a problem that names both types. Problems are collected, not thrown, so that a response lists all of
 * them at once; an unreadable field is empty, or has its default.
 */
public final class Fields {
    private final JsonNode object;
    private final String pointer;
    private final List<Problem> problems;
    private final Set<String> known = new LinkedHashSet<>();

    /** @param pointer where {@code object} stands in the document, "" for its root */
    public Fields(JsonNode object, String pointer, List<Problem> problems) {
        this.object = object;
        this.pointer = pointer;
        this.problems = problems;
        if (!object.isObject()) {
            invalid(pointer, "an object is wanted here, not " + describe(object), "write {…}");
        }
    }

    /** The JSON pointer of a field of this object (RFC 6901). */
    public String pointer(String name) {
        return JsonInput.pointer(pointer, name);
    }

    /** True if the field is there and not null. Counts as reading it. */
    public boolean has(String name) {
        return present(name).isPresent();
    }

    private Optional<JsonNode> present(String name) {
        known.add(name);
        JsonNode node = object.get(name);
        return node == null || node.isNull() ? Optional.empty() : Optional.of(node);
    }

    /** The raw value of the field. */
    public Optional<JsonNode> node(String name) {
        return present(name);
    }

    /** The field with its place, to be read. */
    public Optional<JsonInput> input(String name) {
        return present(name).map(node -> new JsonInput(node, pointer(name), problems));
    }

    public Optional<String> text(String name) {
        return input(name).flatMap(JsonInput::text);
    }

    /** Reports {@code name} as missing if it is. */
    public void require(String name, String remedy) {
        if (object.isObject() && present(name).isEmpty()) {
            invalid(pointer(name), "\"" + name + "\" is missing", remedy);
        }
    }

    public boolean bool(String name, boolean otherwise) {
        return input(name).flatMap(JsonInput::bool).orElse(otherwise);
    }

    /** An integer from {@code min} to {@code max}. */
    public long integer(String name, long min, long max, long otherwise) {
        return input(name).flatMap(input -> input.integer(min, max)).orElse(otherwise);
    }

    /** One of several words; anything else is a problem that lists them. */
    public <T> Optional<T> word(String name, List<T> values, Function<T, String> spelling) {
        return input(name).flatMap(input -> input.word(values, spelling));
    }

    /** A text that {@code parse} turns into a value; its IllegalArgumentException becomes a problem. */
    public <T> Optional<T> parsed(String name, String remedy, Function<String, T> parse) {
        return input(name).flatMap(input -> input.parsed(remedy, parse));
    }

    /** See {@link #parsed}; for a text that stands at {@code at}. */
    public <T> Optional<T> parse(String text, String at, String remedy, Function<String, T> parse) {
        return new JsonInput(object, at, problems).parse(text, remedy, parse);
    }

    /** The elements of an array field, each read by {@code element} from its node and pointer; empty ones are left out. */
    public <T> List<T> list(String name, BiFunction<JsonNode, String, Optional<T>> element) {
        List<T> values = new ArrayList<>();
        input(name)
                .flatMap(JsonInput::elements)
                .ifPresent(elements -> elements.forEach(
                        one -> element.apply(one.node(), one.pointer()).ifPresent(values::add)));
        return values;
    }

    /** For elements of a list: a string, or a problem. */
    public Optional<String> asText(JsonNode node, String at) {
        return new JsonInput(node, at, problems).text();
    }

    public void invalid(String at, String message, String remedy) {
        problems.add(new Problem(Problem.Code.INVALID, at, message, remedy));
    }

    /** The problems so far, those of this object and of others that share the list. */
    public List<Problem> problems() {
        return problems;
    }

    /** To be called last: reports unknown fields. */
    public void finish() {
        object.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                String remedy = Suggestion.nearest(name, known)
                        .map(near -> "did you mean \"" + near + "\"?")
                        .orElse("the fields are " + String.join(", ", known));
                invalid(pointer(name), "unknown field \"" + shorten(name) + "\"", remedy);
            }
        });
    }

    /** As {@link #finish}, then throws if there was any problem. */
    public void finishOrThrow() {
        finish();
        if (!problems.isEmpty()) {
            throw new ProblemException(problems);
        }
    }

    /** For messages: the type and, if it is short, the value. */
    public static String describe(JsonNode node) {
        return JsonInput.describe(node);
    }

    /** Shortens foreign text to a length that fits a message. */
    public static String shorten(String text) {
        return text.length() > 60 ? text.substring(0, 60) + "…" : text;
    }
}
