// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.sextant.core.Problem;
import org.sextant.core.loop.EngineLoad;
import org.sextant.core.net.Network;
import org.sextant.core.port.Subscription;

/** The engine as apps, REST and CLI see it; callable from any thread. */
public interface Intents {

    /**
     * Registers a kind and loads its stored intents. Closing the subscription unregisters the kind and leaves its
     * entries on the nodes, so that an app can be updated under traffic.
     *
     * @throws IllegalStateException if a kind of that name is registered
     */
    <I> Subscription register(IntentKind<I> kind);

    /**
     * Accepts intents: assigns ids and numbers, compiles, stores the feasible ones, then installs them. An intent with
     * the identity of an existing one replaces it if its JSON differs, and changes nothing if not. Each intent is
     * accepted or rejected on its own.
     *
     * <p>A list of up to 16 is stored in one durable step. A longer one has several, and other changes come between; if one
     * fails, those before it are kept.
     *
     * @throws RuntimeException of the store if it could not be written, or did not answer in time
     *     ({@link EngineSettings#storeDeadline}), or if results of an earlier change could not be read; the store may
     *     have the change then, and if it has, the engine has it too before it answers another request about it
     */
    default <I> Submission<I> submit(IntentKind<I> kind, List<I> intents) {
        return submit(kind, intents, Precondition.NONE);
    }

    /**
     * As {@link #submit(IntentKind, List)}, of one intent, if {@code only} holds of the intent that it would replace,
     * or of its absence.
     */
    <I> Submission<I> submit(IntentKind<I> kind, List<I> intents, Precondition only);

    /**
     * Replaces an intent by the result of {@code change}, without any other change in between: if another controller
     * made one, that is the outcome's problem.
     *
     * @param change maps the present intent to its replacement; quick, and without effects: all other requests wait for
     *     it
     * @param only another condition of the intent
     * @throws org.sextant.core.ProblemException UNKNOWN if it is not there, INVALID if the result is another intent, or
     *     the exception of {@code change}; then nothing changed
     */
    <I> Submission<I> change(IntentKind<I> kind, String id, UnaryOperator<I> change, Precondition only);

    /**
     * Accepts intents of any kinds, all or none: each is compiled after those of the list that it refers to, and all are stored in one
     * durable step.
     *
     * @return the outcomes in the order submitted; if one is rejected, so are all others, with that as their problem
     * @throws RuntimeException as {@link #submit(IntentKind, List)}
     */
    Submission<Object> submitTogether(List<IntentRequest<?>> intents);

    /**
     * The plans that {@link #submitTogether} would install, or why it would be rejected, in the order submitted; changes nothing. It
     * compiles between the changes of others, and these wait for it.
     */
    List<DryRun<Object>> dryRunTogether(List<IntentRequest<?>> intents);

    /** The problem of a change that turns an intent into one of another identity. */
    static Problem another(String kind) {
        return new Problem(
                Problem.Code.INVALID, "/id", "that would be another " + kind, "add that one, and delete this one");
    }

    /** The plan that submitting would install, or why it would be rejected; changes nothing. */
    default <I> DryRun<I> dryRun(IntentKind<I> kind, I intent) {
        return dryRun(kind, intent, Precondition.NONE);
    }

    /** As {@link #dryRun(IntentKind, Object)}, if {@code only} holds now. */
    <I> DryRun<I> dryRun(IntentKind<I> kind, I intent, Precondition only);

    /**
     * Removes intents durably, then their entries. The future completes when the entries are gone, or recorded as
     * orphaned on nodes that cannot be reached or refuse; an intent with orphaned entries is shown as REMOVING until
     * they are gone. A list of more than 64 is removed a part at a time; if the store fails one, those before it are
     * gone.
     *
     * @throws org.sextant.core.ProblemException UNKNOWN if an id is not there, CONFLICT if intents that stay refer to one; then
     *     nothing changed
     */
    default CompletableFuture<Void> withdraw(IntentKind<?> kind, Collection<String> ids) {
        return withdraw(kind, ids, Precondition.NONE);
    }

    /**
     * As {@link #withdraw(IntentKind, Collection)}, for one intent, if {@code only} holds of it.
     *
     * @throws org.sextant.core.ProblemException PRECONDITION, too, if it does not; then nothing changed
     */
    CompletableFuture<Void> withdraw(IntentKind<?> kind, Collection<String> ids, Precondition only);

    /**
     * The intent in this controller's view, which may differ from the stored one while that is
     * {@linkplain #requireCertain not certain}.
     */
    <I> Optional<IntentStatus<I>> get(IntentKind<I> kind, String id);

    /**
     * @throws org.sextant.core.port.StoreUnavailableException if a change of this intent was refused by the store and may be stored
     *     all the same, and the store could not be read since
     */
    void requireCertain(IntentKind<?> kind, String id);

    /** All intents of a kind, by id; those that are being removed, too. */
    <I> List<IntentStatus<I>> list(IntentKind<I> kind);

    /** All intents of all kinds, by kind and id; a view that follows the engine without requests to it. */
    Collection<IntentStatus<Object>> statuses();

    /** The intents of a kind whose value passes, by id. */
    <I> List<IntentStatus<I>> find(IntentKind<I> kind, Predicate<I> predicate);

    /** The intents of a kind whose ids begin with that of one they refer to, by id ({@link IntentKind#refersTo}). */
    <I> List<IntentStatus<I>> within(IntentKind<I> kind, String id);

    /** True if intents of a kind follow from the network or from other intents, and are never submitted. */
    boolean derives(String kind);

    /** The intents that refer to one, in their order; it need not exist. */
    List<IntentRef> referers(IntentRef ref);

    /** Every entry that passes, desired or to be removed, by node and key. */
    List<EntryStatus> entries(EntryFilter filter);

    /** Every node of the inventory or the data plane, by name. */
    List<NodeStatus> nodes();

    /** The reservations of intents on links, by link; those of a link in their order of precedence. */
    List<Reservation> reservations();

    /**
     * The results of all intents in another network: a dry run of a failure, for example. Nothing is changed, and other
     * requests are served meanwhile.
     */
    WhatIfResult foresee(Network network);

    /** The compiler version of this controller and its cluster, as of the last batch of messages. */
    CompilerStatus compilerStatus();

    /** The context of a compiler at present. */
    CompileContext context();

    /** Reads every node that can be read and repairs drift; the future completes when repairs are written. */
    CompletableFuture<DriftReport> audit();

    /** The work of the engine's thread so far; no request to it. */
    EngineLoad load();

    /** Completes when nothing is queued, being read or being written. */
    CompletableFuture<Void> idle();

    /** Passes an app's report about one of its intents to listeners. */
    void report(EngineEvent.IntentReported report);

    /** Calls {@code listener} for every event from now on. */
    Subscription listen(Consumer<EngineEvent> listener);
}
