// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;

/**
 * A word, or several, of a shell command that says an intent: what it becomes in the intent's JSON.
 *
 * @param option its name, as {@code --name}; empty: an argument, known by its place
 * @param label what stands for the value in the usage; empty: an option that is given or not
 * @param many whether it takes all arguments from its place on
 * @param offers what Tab offers beside hosts and nodes, which it knows by the labels HOST and NODE
 */
public record Word(
        String option, String label, String description, boolean many, List<String> offers, Becoming becoming) {

    /** Puts what was typed into the intent's JSON; an IllegalArgumentException says why it cannot. */
    @FunctionalInterface
    public interface Becoming {
        void put(ObjectNode json, List<String> typed);
    }

    public static Word argument(String label, String description, Becoming becoming) {
        return new Word("", label, description, false, List.of(), becoming);
    }

    /** All arguments that follow. */
    public static Word arguments(String label, String description, Becoming becoming) {
        return new Word("", label, description, true, List.of(), becoming);
    }

    public static Word option(String name, String label, String description, Becoming becoming) {
        return new Word(name, label, description, false, List.of(), becoming);
    }

    /** An option without a value, and the field that has {@code value} if it is given. */
    public static Word flag(String name, String description, String field, String value) {
        return new Word(name, "", description, false, List.of(), (json, typed) -> json.put(field, value));
    }

    /** The same, with words that Tab offers. */
    public Word offering(String... words) {
        return new Word(option, label, description, many, List.of(words), becoming);
    }

    /** A text field. */
    public static Becoming text(String field) {
        return (json, typed) -> json.put(field, typed.get(0));
    }

    /** A field that is a number if digits were typed, else a text: what it may be, the intent's JSON says. */
    public static Becoming numberOrText(String field) {
        return (json, typed) -> {
            if (typed.get(0).matches("[0-9]{1,9}")) {
                json.put(field, Integer.parseInt(typed.get(0)));
            } else {
                json.put(field, typed.get(0));
            }
        };
    }

    /** A field with a number. */
    public static Becoming number(String field) {
        return (json, typed) -> {
            if (!typed.get(0).matches("-?[0-9]{1,9}")) {
                throw new IllegalArgumentException("\"" + typed.get(0) + "\" is not a number");
            }
            json.put(field, Integer.parseInt(typed.get(0)));
        };
    }

    /** A field with a list of texts, typed one by one or joined by commas. */
    public static Becoming texts(String field) {
        return (json, typed) -> {
            ArrayNode texts = json.putArray(field);
            typed.stream()
                    .flatMap(word -> Arrays.stream(word.split(",")))
                    .map(String::trim)
                    .filter(word -> !word.isEmpty())
                    .forEach(texts::add);
        };
    }
}
