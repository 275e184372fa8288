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
 * A kind of intents of an app: its name, JSON form and compiler. The engine does the rest: store, diff, ordered apply,
 * undo, read-back, recompile, audit.
 *
 * @param <I> the app's intent, an immutable value
 */
public interface IntentKind<I> {

    /** The priority of intents without a configured one; the default of RFC 9256, 2.12, too. */
    int NO_PRIORITY = 128;

    /** Names the kind in the store and in messages, for example {@code policy}; lower-case letters and dashes. */
    String name();

    /** The stored and shown form; {@link #decode} of it gives an equal value. */
    ObjectNode encode(I intent);

    /** @throws org.sextant.core.ProblemException if {@code json} is not an intent of this kind */
    I decode(JsonNode json);

    /**
     * The text that identifies an intent: submissions with equal texts share one id. Must not depend on the network.
     */
    String identity(I intent);

    /**
     * The id that a user chose for the intent: letters, digits, dots, dashes and underscores, at most 63 of them.
     * Empty: the engine derives one from the identity, the same on every controller.
     */
    default Optional<String> suggestedId(I intent) {
        return Optional.empty();
    }

    /**
     * The intent that results if {@code submitted} replaces one of the same identity, perhaps with a part of its
     * history. Called by one controller at a time; quick, and without effects.
     */
    default I following(I before, I submitted) {
        return submitted;
    }

    /**
     * Intents that this one requires; {@link CompileContext#offered} returns their exports. They are installed before
     * it and removed after it, and it is compiled again when their exports change. As long as it exists, they cannot be
     * withdrawn, nor changed so that this one, if it is compiled, no longer compiles. References have no cycle. The id
     * of such an intent may begin with that of one it refers to and a slash.
     */
    default Set<IntentRef> refersTo(I intent) {
        return Set.of();
    }

    /**
     * A value: all that intents which refer to this one need of a feasible plan of it. They are compiled again when it
     * changes, so it contains nothing that does not concern them. Called only for intents that others refer to.
     */
    default Object offers(NumberedIntent<I> intent, Plan plan) {
        return plan.offer() == null ? intent : plan.offer();
    }

    /**
     * The exports of an intent with this feasible plan under names that other intents may have, too: a value for each
     * name. An intent that {@link #follows} a name requires none of its exporters, in contrast to a reference, and can
     * block none.
     */
    default Map<String, Object> offersUnder(NumberedIntent<I> intent, Plan plan) {
        return Map.of();
    }

    /** Names whose exports {@link CompileContext#followed} returns: the intent is compiled again when these change. */
    default Set<String> follows(I intent) {
        return Set.of();
    }

    /** The rank of the intent among those affected by a change of the network: the lower, the sooner it is updated. */
    default int priority(I intent) {
        return NO_PRIORITY;
    }

    /**
     * The priorities of the intent among those that reserve capacity of links, if it may reserve some. Must not depend
     * on the network.
     */
    default Optional<SetupHoldPriority> standing(I intent) {
        return Optional.empty();
    }

    /**
     * The capacity that a feasible plan of it reserves, by link id, in kbit/s; called only if it has a
     * {@link #standing}. {@link CompileContext#reserved} returns the reservations of the intents before it.
     */
    default Map<String, Long> reserves(NumberedIntent<I> intent, Plan plan) {
        return Map.of();
    }

    /**
     * Compiles to entries and an explanation. Pure: no clock, no services, no I/O, nothing kept; the same arguments always
     * give the same plan.
     */
    Plan compile(NumberedIntent<I> intent, CompileContext context);

    /** A plan with its full explanation: it is shown, and not kept, as {@code plan} is. */
    default Plan explain(NumberedIntent<I> intent, Plan plan, CompileContext context) {
        return plan;
    }

    /**
     * As {@link #compile}, for an intent that is submitted: a fallback that is good enough for an existing intent may
     * be too little for a new one.
     */
    default Plan admit(NumberedIntent<I> intent, CompileContext context) {
        return compile(intent, context);
    }

    /**
     * Numbers of pools that an earlier version of the app allocated to this intent, from its stored form; the engine
     * adopts them.
     */
    default List<Allocation> granted(JsonNode json) {
        return List.of();
    }

    /**
     * True if several intents may own an entry at once. It is installed once, for as long as one of them needs it; all
     * kinds concerned must agree, and so must the entries.
     */
    default boolean shares(Entry entry) {
        return false;
    }

    /** The field of the intent, as a JSON pointer, that leads to this entry; a conflict over the entry names it. */
    default String field(I intent, Entry entry) {
        return "";
    }

    /**
     * True if an intent is installed as a whole or not at all: one refused entry undoes the others. Otherwise each
     * entry is installed as far as its node allows.
     */
    default boolean atomic() {
        return true;
    }
}
