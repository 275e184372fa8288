// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.table.Entry;

/**
 * What an app tells the engine about its intents: their name, their JSON form and how they compile. The engine does
 * the rest: store, diff, ordered apply, undo, read-back, recompile, audit.
 *
 * @param <I> the app's intent, an immutable value
 */
public interface IntentKind<I> {

    /** Of intents that say nothing of it; the default of RFC 9256, 2.12, too. */
    int NO_PRIORITY = 128;

    /** Names the kind in the store and in messages, for example {@code policy}; lower-case letters and dashes. */
    String name();

    /** The stored and shown form; {@link #decode} of it gives an equal value. */
    ObjectNode encode(I intent);

    /** @throws org.sextant.core.ProblemException if {@code json} is not an intent of this kind */
    I decode(JsonNode json);

    /**
     * The text that tells whether two submissions are the same intent; equal texts share one id. Must not depend on the
     * network.
     */
    String identity(I intent);

    /**
     * The id that a person gave to the intent: letters, digits, dots, dashes and underscores, at most 63 of them. Empty:
     * the engine derives one from the identity, the same on every controller.
     */
    default Optional<String> suggestedId(I intent) {
        return Optional.empty();
    }

    /**
     * What an intent becomes that is submitted where another one of its identity is: one with a past, perhaps. Asked by one
     * controller at a time; quick, and without effects.
     */
    default I following(I before, I submitted) {
        return submitted;
    }

    /**
     * Intents without which this one means nothing: {@link CompileContext#offered} says what they offer. They are on the nodes
     * before it and leave them after it, it is compiled again when they offer something else, and they cannot be withdrawn
     * as long as it is there; nor changed into what this one, which compiled, would not compile with. None refer in a circle. The
     * id of such an intent may begin with that of one it refers to and a slash.
     */
    default Set<IntentRef> refersTo(I intent) {
        return Set.of();
    }

    /**
     * A value: all that intents which refer to this one need of a feasible plan of it. They are compiled again when it is another
     * one, so it holds nothing that is of no concern to them. Asked only of intents that somebody refers to.
     */
    default Object offers(Numbered<I> intent, Plan plan) {
        return plan.offer() == null ? intent : plan.offer();
    }

    /**
     * What an intent with this feasible plan offers under names that other intents may have, too: a value for each name. Unlike
     * those who refer to it, who {@link #follows} a name needs none of them, and stands in the way of none.
     */
    default Map<String, Object> offersUnder(Numbered<I> intent, Plan plan) {
        return Map.of();
    }

    /** Names of which {@link CompileContext#followed} tells what is offered: the intent is compiled again when that is something else. */
    default Set<String> follows(I intent) {
        return Set.of();
    }

    /** Where the intent stands among those that a change of the network concerns: the lower, the sooner it follows. */
    default int priority(I intent) {
        return NO_PRIORITY;
    }

    /**
     * How the intent stands among those that reserve capacity of links, if it may reserve some. Must not depend on the network.
     */
    default Optional<Standing> standing(I intent) {
        return Optional.empty();
    }

    /**
     * What a feasible plan of it reserves, by link id, in kbit/s; asked only if it has a {@link #standing}. What others have that
     * stand before it says {@link CompileContext#reserved}.
     */
    default Map<String, Long> reserves(Numbered<I> intent, Plan plan) {
        return Map.of();
    }

    /**
     * Compiles to entries and an explanation. Pure: no clock, no services, no I/O, nothing kept; the same arguments always
     * give the same plan.
     */
    Plan compile(Numbered<I> intent, CompileContext context);

    /** A plan with everything that there is to say about it: it is shown, and not kept, as {@code plan} is. */
    default Plan explain(Numbered<I> intent, Plan plan, CompileContext context) {
        return plan;
    }

    /**
     * As {@link #compile}, for an intent that is submitted: what will do as long as there is nothing better may be too little
     * to begin with.
     */
    default Plan admit(Numbered<I> intent, CompileContext context) {
        return compile(intent, context);
    }

    /**
     * Numbers of pools that an earlier version of the app gave this intent by itself, from its stored form; the engine takes
     * them for its own.
     */
    default List<Grant> granted(JsonNode json) {
        return List.of();
    }

    /**
     * Whether an entry may be wanted by several intents at once. It is installed once, for as long as one of them
     * wants it; all kinds concerned must agree, and so must the entries.
     */
    default boolean shares(Entry entry) {
        return false;
    }

    /** Which field of the intent, as a JSON pointer, asked for this entry; a conflict over the entry names it. */
    default String field(I intent, Entry entry) {
        return "";
    }

    /**
     * Whether an intent stands or falls as a whole: one refused entry undoes the others. Otherwise each entry is
     * installed as far as its node allows.
     */
    default boolean atomic() {
        return true;
    }
}
