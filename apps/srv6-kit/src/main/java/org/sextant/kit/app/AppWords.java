// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What an app's things are called in addresses, commands, messages and descriptions. An app says {@link #one} and {@link
 * #many}; the rest follows, and is said where it should be otherwise.
 */
public interface AppWords {

    /** One intent, in a sentence: {@code policy}. */
    String one();

    /** Several: {@code policies}. */
    String many();

    /** One where its app has to be told: {@code Live-Live flow}. */
    default String called() {
        return one();
    }

    /** Several where their app has to be told. */
    default String calledMany() {
        return many();
    }

    /** Where REST has them: {@code /srv6/policies}. Also the tag of its OpenAPI. */
    default String path() {
        return many();
    }

    /** Words of the app below whose intents these are: every one belongs to one of those, which its address names. */
    default Optional<AppWords> within() {
        return Optional.empty();
    }

    /** Where REST has all that belong together: {@code policies}, or {@code slices/{slice}/sessions}. */
    default String address() {
        return within().map(above -> above.address() + "/{" + above.one() + "}/")
                        .orElse("")
                + path();
    }

    /** The intent itself in the JSON of a stored one. */
    default String field() {
        return one();
    }

    /** The schema of the intent; others begin with it: {@code PolicyStatus}. */
    default String schema() {
        return capital(one());
    }

    /** Operations on one are called by it: {@code getPolicy}. */
    default String operationOne() {
        return schema();
    }

    /** Operations on several are called by it: {@code listPolicies}. */
    default String operationMany() {
        return capital(many());
    }

    /** The command that shows one; {@code -add}, {@code -explain} and {@code -remove} go on from it. */
    default String command() {
        return one();
    }

    /** The command that lists all. */
    default String listCommand() {
        return many();
    }

    /** What stands for an id in the usage of commands. */
    default String label() {
        return one().toUpperCase(Locale.ROOT);
    }

    /** What an operation of REST does, in a line. */
    default String summary(Operation operation) {
        return switch (operation) {
            case ADD -> "Stores and installs a " + one() + ", or a list of them";
            case LIST -> "All " + many() + " with their state";
            case GET -> "One " + one() + " with its state and, where it is not installed, why";
            case PLAN -> "What a " + one() + " does in the network as it is now";
            case REMOVE -> "Removes a " + one() + " and its entries";
            case REMOVE_SOME -> "Removes several " + many();
            case CHANGE -> "Changes a " + one() + " in part";
            case REPLACE -> "Replaces a " + one();
        };
    }

    /** What the answer to a dry run has. */
    default String plan() {
        return "entries per node";
    }

    /** When posting is a 409. */
    default String conflict() {
        return "another intent owns what this one asks for";
    }

    /** Documents that can be posted. */
    List<Example> examples();

    /** A document and what it is an example of. */
    record Example(String name, String json) {}

    /** What a command does, as its help says. {@link Operation#PLAN} is {@code -explain}, {@code REMOVE} {@code -remove}. */
    default String help(Operation operation) {
        return switch (operation) {
            case ADD -> "Adds a " + called() + ", or changes a named one, and installs it.";
            case LIST -> "Lists " + calledMany() + " with their state.";
            case GET -> "Shows one " + called() + ", its state and, where it is not installed, why.";
            case PLAN ->
                "Says what a " + called() + " does to the packets: of a stored one, or of a new one without adding it.";
            case REMOVE, REMOVE_SOME -> "Removes " + calledMany() + ".";
            case CHANGE -> "Changes a " + called() + " in part.";
            case REPLACE -> "Replaces a " + called() + ".";
        };
    }

    /** The words behind a command, in examples of its help. */
    default List<String> usage(Operation operation) {
        return switch (operation) {
            case ADD -> List.of("--file " + one() + ".json");
            case LIST -> List.of("", "--limit 100 --json");
            case GET -> List.of("gold");
            case PLAN -> List.of("gold", "--file " + one() + ".json --json");
            case REMOVE, REMOVE_SOME -> List.of("gold silver", "--all");
            case CHANGE, REPLACE -> List.of("gold");
        };
    }

    private static String capital(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }
}
