// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.sextant.core.Problem;
import org.sextant.core.Reason;

/**
 * A value of a JSON document and its place there. Each method reads the value as one type, strictly; a value that cannot
 * be read is empty, and adds a problem to those of the document.
 */
public final class JsonInput {
    private final JsonNode node;
    private final String pointer;
    private final List<Problem> problems;

    /**
     * @param pointer the place of {@code node} in its document (RFC 6901), "" for the root
     * @param problems of the document; new ones are added
     */
    public JsonInput(JsonNode node, String pointer, List<Problem> problems) {
        this.node = node;
        this.pointer = pointer;
        this.problems = problems;
    }

    public JsonNode node() {
        return node;
    }

    public String pointer() {
        return pointer;
    }

    /** All problems of the document so far. */
    public List<Problem> problems() {
        return problems;
    }

    /** The last token of the pointer: the name of the field that has this value. */
    public String name() {
        return pointer.substring(pointer.lastIndexOf('/') + 1)
                .replace("~1", "/")
                .replace("~0", "~");
    }

    /** The pointer of a field of the object at {@code pointer}. */
    static String pointer(String pointer, String name) {
        return pointer + "/" + name.replace("~", "~0").replace("/", "~1");
    }

    /** A problem with this value. */
    public void invalid(String message, String remedy) {
        invalid("", message, remedy);
    }

    /**
     * A problem with a part of this value.
     *
     * @param part its pointer in the value: {@code /0/name}
     */
    public void invalid(String part, String message, String remedy) {
        problems.add(new Problem(Problem.Code.INVALID, pointer + part, message, remedy));
    }

    public Optional<String> text() {
        if (!node.isTextual()) {
            invalid("a string is wanted here, not " + describe(node), "write it in quotes");
            return Optional.empty();
        }
        return Optional.of(node.textValue());
    }

    public Optional<Boolean> bool() {
        if (!node.isBoolean()) {
            wrongType("true or false", "write true or false without quotes");
            return Optional.empty();
        }
        return Optional.of(node.booleanValue());
    }

    /** An integer from {@code min} to {@code max}. */
    public Optional<Long> integer(long min, long max) {
        if (!node.isIntegralNumber() || !node.canConvertToLong() || node.longValue() < min || node.longValue() > max) {
            invalid(
                    "\"" + name() + "\" is " + Fields.shorten(node.toString()) + ", not an integer from " + min + " to "
                            + max,
                    "write a number of that range");
            return Optional.empty();
        }
        return Optional.of(node.longValue());
    }

    /** One of several words; anything else is a problem that lists them. */
    public <T> Optional<T> word(List<T> values, Function<T, String> spelling) {
        return text().flatMap(text -> {
            Optional<T> value =
                    values.stream().filter(v -> spelling.apply(v).equals(text)).findFirst();
            if (value.isEmpty()) {
                List<String> words = values.stream().map(spelling).toList();
                invalid(
                        "\"" + name() + "\" is \"" + Fields.shorten(text) + "\", which is none of "
                                + String.join(", ", words),
                        Suggestion.nearest(text, words)
                                .map(near -> "did you mean " + near + "?")
                                .orElse("choose one of them"));
            }
            return value;
        });
    }

    /** A text that {@code parse} turns into a value; its IllegalArgumentException becomes a problem. */
    public <T> Optional<T> parsed(String remedy, Function<String, T> parse) {
        return text().flatMap(text -> parse(text, remedy, parse));
    }

    /** As {@link #parsed}, for {@code text} instead of the value. */
    public <T> Optional<T> parse(String text, String remedy, Function<String, T> parse) {
        try {
            return Optional.of(parse.apply(text));
        } catch (IllegalArgumentException e) {
            invalid(Reason.of(e), remedy);
            return Optional.empty();
        }
    }

    /** The elements of a list, in its order. */
    public Optional<List<JsonInput>> elements() {
        if (!node.isArray()) {
            wrongType("a list", "write [ … ]");
            return Optional.empty();
        }
        List<JsonInput> elements = new ArrayList<>();
        for (int i = 0; i < node.size(); i++) {
            elements.add(new JsonInput(node.get(i), pointer + "/" + i, problems));
        }
        return Optional.of(elements);
    }

    private void wrongType(String wanted, String remedy) {
        invalid("\"" + name() + "\" wants " + wanted + ", not " + describe(node), remedy);
    }

    /** For messages: the type and, if it is short, the value. */
    static String describe(JsonNode node) {
        JsonNodeType type = node.getNodeType();
        return switch (type) {
            case OBJECT -> "an object";
            case ARRAY -> "a list";
            case STRING -> "the string " + Fields.shorten(node.toString());
            case NUMBER -> "the number " + Fields.shorten(node.toString());
            case BOOLEAN -> Fields.shorten(node.toString());
            case NULL -> "null";
            default -> "nothing";
        };
    }
}
