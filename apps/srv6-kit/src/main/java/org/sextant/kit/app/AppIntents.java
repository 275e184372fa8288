// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
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

    /** The name in the intent, which becomes the id. */
    Optional<String> name(I intent);

    /** As {@link org.sextant.core.intent.Intents#submit}: each is accepted or rejected on its own. */
    default Submission<I> submit(List<I> intents) {
        return submit(intents, Precondition.NONE);
    }

    /** As {@link #submit(List)}, if {@code only} holds of the one intent that would be replaced, or of its absence. */
    Submission<I> submit(List<I> intents, Precondition only);

    /**
     * Prepares intents for a list of several kinds ({@link org.sextant.core.intent.Intents#submitTogether}). Until
     * {@code admission} returns, this app admits no other intent that could exclude one of them.
     *
     * @param admission takes a candidate per intent, in their order, and submits their requests or discards them
     * @return the result of {@code admission}
     */
    <R> R together(List<I> intents, Function<List<Candidate<I>>, R> admission);

    /**
     * As {@link org.sextant.core.intent.Intents#change}: replaces the intent by the result of {@code change},
     * atomically.
     *
     * @throws org.sextant.core.ProblemException if it does not exist, or the result has another identity
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

    /** As {@link #dryRun(Object)}, if {@code only} holds now. */
    Plan dryRun(I intent, Precondition only);

    /** The entity tag of a stored intent ({@link Precondition#tag}). */
    String tag(IntentStatus<I> stored);

    /**
     * The whole plan of a stored intent in the present network.
     *
     * @throws org.sextant.core.ProblemException if it does not compile any more
     */
    Plan plan(IntentStatus<I> stored);

    /** Includes deleted intents that nodes may still have entries of; so do lists. */
    /** @throws org.sextant.core.port.StoreUnavailableException if its stored state is unknown */
    Optional<IntentStatus<I>> find(String id);

    /** All intents, ordered by id. */
    List<IntentStatus<I>> list();

    /** The intents that match the predicate, ordered by id. */
    List<IntentStatus<I>> list(Predicate<I> predicate);

    /** The intents that belong to an intent of the app above, ordered by id. */
    List<IntentStatus<I>> within(String above);

    /**
     * Completes when the entries are removed, or recorded as orphaned for an unreachable node.
     *
     * @throws org.sextant.core.ProblemException if one of them does not exist; then nothing changed
     */
    default CompletableFuture<Void> remove(Collection<String> ids) {
        return remove(ids, Precondition.NONE);
    }

    /** As {@link #remove(Collection)}, if {@code only} holds of the one intent. */
    CompletableFuture<Void> remove(Collection<String> ids, Precondition only);

    /** The network as compilers read it now. */
    Network network();
}
