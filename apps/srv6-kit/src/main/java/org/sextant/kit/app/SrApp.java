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
 * An app, as an OSGi service. The controller derives from it REST under {@code /srv6} (POST of one, of a list and as a
 * dry run; GET of one, of its plan and of pages of all; DELETE of one, of several, of all that match), its OpenAPI,
 * problem documents, and the commands of the shell with their completers. An app registers further resources and
 * commands beside this service, see docs/extend/add-an-app.md.
 *
 * <p>{@link #words}, {@link #filters}, {@link #form}, {@link #shape} and {@link #kinds} always return the same, also of
 * an instance that was never activated: the build writes the OpenAPI from them, and replays of recordings use the
 * kinds.
 *
 * @param <I> the intent as an operator writes it, an immutable value
 */
public interface SrApp<I> {

    /** The names of its intents in REST, shell and messages. */
    AppWords words();

    /** The filters of lists and removals. */
    default List<Filter<I>> filters() {
        return List.of();
    }

    /** The arguments and options of shell commands that describe an intent; empty: documents only. */
    default Optional<Form> form() {
        return Optional.empty();
    }

    /** The kinds of intents that it registers at the engine; always the same, even before activation. */
    List<IntentKind<?>> kinds();

    /** The intents of the running controller. */
    AppIntents<I> intents();

    /**
     * The declaration of an intent's fields: the OpenAPI contains its schema, {@link #decode(JsonNode)} and
     * {@link #encode} follow it. Empty: the app has a decoder, an encoder and a schema of its own.
     */
    default Optional<ObjectShape<I>> shape() {
        return Optional.empty();
    }

    /** @throws ProblemException if {@code json} is not an intent; fields are pointers into {@code json} */
    default I decode(JsonNode json) {
        return declared().decode(json);
    }

    /**
     * As {@link #decode(JsonNode)}, for an intent of an app below another ({@link AppWords#within}); called for these
     * only.
     *
     * @param above the id of the intent above
     */
    default I decode(String above, JsonNode json) {
        throw new UnsupportedOperationException("no app is above " + words().many());
    }

    /** The intents of the app above, called only for an app below another. Its ids have the form above/own. */
    default AppIntents<?> above() {
        throw new UnsupportedOperationException("no app is above " + words().many());
    }

    /** Is false if the app serves PATCH of its intents itself. */
    default boolean changes() {
        return true;
    }

    /**
     * Is false if the app serves PUT of its intents itself. POST of an intent with the name of another replaces it
     * anyway.
     */
    default boolean replaces() {
        return true;
    }

    /** The role that may change intents of this app; all users may read them. Its app.json repeats it for commands. */
    default Role changedBy() {
        return Role.OPERATOR;
    }

    /** The maximum size in bytes of one intent's document. */
    default int mostBytes() {
        return 64 << 10;
    }

    /** The document of an intent; {@link #decode(JsonNode)} returns an equal one. */
    default ObjectNode encode(I intent) {
        return declared().write(intent);
    }

    private ObjectShape<I> declared() {
        return shape().orElseThrow(() -> new UnsupportedOperationException("no shape of a " + words().one()));
    }

    /** Adds this app's own details of a stored intent, behind the intent itself. */
    default void detail(IntentStatus<I> status, ObjectNode view) {
        // The engine's view is complete by default.
    }

    /** Called before one intent is shown by its id; the app may read its details from nodes now. */
    default void look(IntentStatus<I> status) {
        // The engine's view is current by default.
    }

    /** The explanation of a plan, for users and {@code dryRun}; by default its entries. */
    default ObjectNode explain(Plan plan) {
        ObjectNode explanation = plan.explanation();
        return explanation.isEmpty() ? PlannedEntries.of(plan) : explanation;
    }

    /** The text of intents in the shell. */
    IntentText text();

    /** @throws ProblemException if it does not exist */
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

    /** Is true if the intent exists and is not deleted. */
    default boolean present(String id) {
        return intents()
                .find(id)
                .filter(status -> status.state() != IntentState.REMOVING)
                .isPresent();
    }

    /** A deleted intent, as long as nodes may have entries of it. */
    default Optional<IntentStatus<I>> leaving(String id) {
        return intents().find(id).filter(status -> status.state() == IntentState.REMOVING);
    }

    /**
     * The explanation of a stored intent in the present network.
     *
     * @throws ProblemException if it does not exist, was deleted, or does not compile any more
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
