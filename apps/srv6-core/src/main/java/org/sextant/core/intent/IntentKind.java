// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What an app tells the engine about its intents: their name, their JSON form and how they compile. The engine does
 * the rest: store, diff, ordered apply, undo, read-back, recompile, audit.
 *
 * @param <I> the app's intent, an immutable value
 */
public interface IntentKind<I> {

    /** Names the kind in the store and in messages, for example {@code policy}. */
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
     * Compiles to entries and an explanation. Pure: no clock, no services, no I/O; the same arguments always give the
     * same plan.
     */
    Plan compile(Numbered<I> intent, CompileContext context);
}
