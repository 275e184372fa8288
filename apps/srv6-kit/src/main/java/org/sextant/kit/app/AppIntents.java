// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Precondition;
import org.sextant.core.intent.Submission;
import org.sextant.core.net.Network;

/**
 * The intents of one app in a running controller; callable from any thread. {@link EngineIntents} unless an app does more.
 *
 * @param <I> the intent as an operator writes it
 */
public interface AppIntents<I> {

    /** The name that a person gave to the intent: it becomes the id. */
    Optional<String> name(I intent);

    /** As {@link org.sextant.core.intent.Intents#submit}: each is accepted or rejected on its own. */
    default Submission<I> submit(List<I> intents) {
        return submit(intents, Precondition.NONE);
    }

    /** The same of one intent, if {@code only} holds of what it would replace, or of there being nothing like that. */
    Submission<I> submit(List<I> intents, Precondition only);

    /**
     * As {@link org.sextant.core.intent.Intents#change}: by what {@code change} makes of it, with nobody else's change between.
     *
     * @throws org.sextant.core.ProblemException if it is not there, or would be another one
     */
    Submission<I> change(String id, UnaryOperator<I> change, Precondition only);

    /**
     * The whole plan that submitting would install; changes nothing.
     *
     * @throws org.sextant.core.ProblemException if it would be rejected
     */
    default Plan dryRun(I intent) {
        return dryRun(intent, Precondition.NONE);
    }

    /** The same if {@code only} holds now. */
    Plan dryRun(I intent, Precondition only);

    /** The entity tag of a stored intent ({@link Precondition#tag}). */
    String tag(IntentStatus<I> stored);

    /**
     * The whole plan of a stored intent in the present network.
     *
     * @throws org.sextant.core.ProblemException if it does not compile any more
     */
    Plan plan(IntentStatus<I> stored);

    /** Deleted ones of which nodes may have entries included, here and in lists. */
    /** @throws org.sextant.core.port.StoreUnavailableException if it is unknown what is stored of it */
    Optional<IntentStatus<I>> find(String id);

    /** By id. */
    List<IntentStatus<I>> list();

    /** Those whose value passes, by id. */
    List<IntentStatus<I>> list(Predicate<I> predicate);

    /** Those that belong to an intent of the app above, by id. */
    List<IntentStatus<I>> within(String above);

    /**
     * Completes when the entries are gone, or remembered for a node that cannot be reached.
     *
     * @throws org.sextant.core.ProblemException if one of them is not there; then nothing changed
     */
    default CompletableFuture<Void> remove(Collection<String> ids) {
        return remove(ids, Precondition.NONE);
    }

    /** The same of one intent, if {@code only} holds of it. */
    CompletableFuture<Void> remove(Collection<String> ids, Precondition only);

    /** As compilers see it now. */
    Network network();
}
