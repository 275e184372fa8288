// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The names of an app's intents in addresses, commands, messages and descriptions. An app implements {@link #one} and
 * {@link #many}; the other names derive from them, and an app overrides those that differ.
 */
public interface AppWords {

    /** The singular in a sentence: {@code policy}. */
    String one();

    /** The plural: {@code policies}. */
    String many();

    /** The singular with the app's name: {@code Live-Live flow}. */
    default String called() {
        return one();
    }

    /** The plural with the app's name. */
    default String calledMany() {
        return many();
    }

    /** The path in REST: {@code /srv6/policies}. Also the tag of its OpenAPI. */
    default String path() {
        return many();
    }

    /** The words of the app above: each intent here belongs to one of that app, whose id the address contains. */
    default Optional<AppWords> within() {
        return Optional.empty();
    }

    /** The path in REST without its prefix: {@code policies}, or {@code slices/{slice}/sessions}. */
    default String address() {
        return within().map(above -> above.address() + "/{" + above.one() + "}/")
                        .orElse("")
                + path();
    }

    /** The field of the intent itself in the JSON of a stored one. */
    default String field() {
        return one();
    }

    /** The name of the intent's schema, with which other names begin: {@code PolicyStatus}. */
    default String schema() {
        return capital(one());
    }

    /** The singular in operation ids: {@code getPolicy}. */
    default String operationOne() {
        return schema();
    }

    /** The plural in operation ids: {@code listPolicies}. */
    default String operationMany() {
        return capital(many());
    }

    /** The command that shows one; {@code -add}, {@code -explain} and {@code -remove} are appended to it. */
    default String command() {
        return one();
    }

    /** The command that lists all. */
    default String listCommand() {
        return many();
    }

    /** The placeholder of an id in the usage of commands. */
    default String label() {
        return one().toUpperCase(Locale.ROOT);
    }

    /** The form of a document of one intent in a list of several kinds. */
    default DocumentWords document() {
        return new DocumentWords(one(), "name");
    }

    /** The summary line of a REST operation. */
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

    /** The contents of the response to a dry run. */
    default String plan() {
        return "entries per node";
    }

    /** The reason for a 409 to a POST. */
    default String conflict() {
        return "another intent owns what this one asks for";
    }

    /** Documents that can be posted. */
    List<Example> examples();

    /** A JSON document and its description. */
    record Example(String name, String json) {}

    /** The help of a command. {@link Operation#PLAN} is {@code -explain}, {@code REMOVE} {@code -remove}. */
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

    /** The arguments in the examples of a command's help. */
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
