// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.sextant.core.Problem;
import org.sextant.core.Problem.Code;
import org.sextant.core.ProblemException;
import org.sextant.core.access.Role;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Plan;
import org.sextant.core.shape.ObjectShape;

/**
 * An app, as an OSGi service. REST under {@code /srv6} (POST of one, of a list and as a dry run; GET of one, of its plan and
 * of pages of all; DELETE of one, of several, of what matches), the OpenAPI of that, problem documents, and the commands of
 * the shell with their completers are made of it. What an app has beside these (what a resource of its own serves, a command
 * of its own) it registers beside this service, see docs/extend/add-an-app.md.
 *
 * <p>{@link #words}, {@link #filters}, {@link #form}, {@link #shape} and {@link #kinds} return the same always, also of an instance
 * that was never activated: the OpenAPI is written from them when the app is built, and recordings are repeated with the kinds.
 *
 * @param <I> the intent as an operator writes it, an immutable value
 */
public interface SrApp<I> {

    /** What things are called wherever people meet them. */
    AppWords words();

    /** By what a list and a removal choose. */
    default List<Filter<I>> filters() {
        return List.of();
    }

    /** How an intent is said in the words of a shell command; empty: by documents only. */
    default Optional<Form> form() {
        return Optional.empty();
    }

    /** The kinds of intents that it registers at the engine; the same always, also of an instance that was never activated. */
    List<IntentKind<?>> kinds();

    /** The intents of the running controller. */
    AppIntents<I> intents();

    /**
     * The declaration of an intent's fields: the OpenAPI has its schema, {@link #decode(JsonNode)} reads and {@link #encode}
     * writes by it. Empty: the app has a decoder, an encoder and a schema of its own.
     */
    default Optional<ObjectShape<I>> shape() {
        return Optional.empty();
    }

    /** @throws ProblemException if {@code json} is not an intent; fields are pointers into {@code json} */
    default I decode(JsonNode json) {
        return declared().decode(json);
    }

    /**
     * As {@link #decode}, of one that belongs to an intent of the app above ({@link AppWords#within}); asked where there is one.
     *
     * @param above the id of that
     */
    default I decode(String above, JsonNode json) {
        throw new UnsupportedOperationException("no app is above " + words().many());
    }

    /** The intents of the app above; asked where there is one. An id here is that of one above, a slash, and its own. */
    default AppIntents<?> above() {
        throw new UnsupportedOperationException("no app is above " + words().many());
    }

    /** Whether an intent can be changed in part. */
    default boolean changes() {
        return false;
    }

    /** Whether an intent can be replaced at its own address. One that is posted under the name of another replaces it anyway. */
    default boolean replaces() {
        return false;
    }

    /** Who may change intents of this app; all users may read them. Its app.json says the same of its commands. */
    default Role changedBy() {
        return Role.OPERATOR;
    }

    /** How many bytes the document of one intent may have. */
    default int mostBytes() {
        return 64 << 10;
    }

    /** {@link #decode} of it gives an equal value. */
    default ObjectNode encode(I intent) {
        return declared().write(intent);
    }

    private ObjectShape<I> declared() {
        return shape().orElseThrow(() -> new UnsupportedOperationException("no shape of a " + words().one()));
    }

    /** Adds what only this app knows of a stored intent, behind the intent itself. */
    default void detail(IntentStatus<I> status, ObjectNode view) {
        // Nothing beside what the engine knows.
    }

    /** Called before an intent is shown that somebody asked for by its id: what is shown of it may be read from nodes now. */
    default void look(IntentStatus<I> status) {
        // What the engine knows is up to date.
    }

    /** What a plan does, for people and for {@code dryRun}. Without an explanation, its entries. */
    default ObjectNode explain(Plan plan) {
        ObjectNode explanation = plan.explanation();
        return explanation.isEmpty() ? PlannedEntries.of(plan) : explanation;
    }

    /** What a person reads of intents. */
    IntentText text();

    /** @throws ProblemException if it is not there */
    default IntentStatus<I> stored(String id) {
        AppWords words = words();
        return intents()
                .find(id)
                .orElseThrow(() -> new ProblemException(new Problem(
                        Code.UNKNOWN,
                        "/id",
                        "there is no " + words.called() + " \"" + id + "\"",
                        "list the " + words.many() + " to see what there is")));
    }

    /** Whether there is such an intent, and it was not deleted. */
    default boolean present(String id) {
        return intents()
                .find(id)
                .filter(status -> status.state() != IntentState.REMOVING)
                .isPresent();
    }

    /** An intent that was deleted, as long as nodes may have entries of it. */
    default Optional<IntentStatus<I>> leaving(String id) {
        return intents().find(id).filter(status -> status.state() == IntentState.REMOVING);
    }

    /**
     * What a stored intent does in the network as it is now.
     *
     * @throws ProblemException if it is not there, was deleted, or does not compile any more
     */
    default ObjectNode plan(String id) {
        IntentStatus<I> status = stored(id);
        if (status.state() == IntentState.REMOVING) {
            throw new ProblemException(new Problem(
                    Code.CONFLICT,
                    "/id",
                    words().called() + " \"" + id + "\" was deleted: it has no plan any more",
                    "look at the " + words().one() + " itself: troubles says what nodes may still have of it"));
        }
        return explain(intents().plan(status));
    }
}
