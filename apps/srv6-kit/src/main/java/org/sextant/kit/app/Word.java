// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;

/**
 * An argument or option of a shell command, and its effect on the intent's JSON.
 *
 * @param option its name, as {@code --name}; empty: an argument, identified by its place
 * @param label the placeholder of the value in the usage; empty: an option without a value
 * @param many true if it takes all arguments from its place on
 * @param offers values for completion beside hosts and nodes, which the labels HOST and NODE select
 */
public record Word(
        String option, String label, String description, boolean many, List<String> offers, Becoming becoming) {

    /** Writes the typed value into the intent's JSON; throws an IllegalArgumentException with the reason otherwise. */
    @FunctionalInterface
    public interface Becoming {
        void put(ObjectNode json, List<String> typed);
    }

    public static Word argument(String label, String description, Becoming becoming) {
        return new Word("", label, description, false, List.of(), becoming);
    }

    /** An argument that takes all that follow. */
    public static Word arguments(String label, String description, Becoming becoming) {
        return new Word("", label, description, true, List.of(), becoming);
    }

    public static Word option(String name, String label, String description, Becoming becoming) {
        return new Word(name, label, description, false, List.of(), becoming);
    }

    /** An option without a value, and the field that it sets to {@code value}. */
    public static Word flag(String name, String description, String field, String value) {
        return new Word(name, "", description, false, List.of(), (json, typed) -> json.put(field, value));
    }

    /** This word with values for completion. */
    public Word offering(String... words) {
        return new Word(option, label, description, many, List.of(words), becoming);
    }

    /** A text field. */
    public static Becoming text(String field) {
        return (json, typed) -> json.put(field, typed.get(0));
    }

    /** A field that is a number if digits were typed, else a text; the intent's decoder checks its range. */
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
