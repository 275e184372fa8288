// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.engine;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.sextant.core.intent.DriftReport;
import org.sextant.core.intent.DryRun;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRequest;
import org.sextant.core.intent.Precondition;
import org.sextant.core.intent.StoredChange;
import org.sextant.core.intent.Submission;
import org.sextant.core.intent.desired.Replacement;
import org.sextant.core.loop.Message;
import org.sextant.core.net.Network;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.Store;

/** Everything that reaches the engine from outside; answers of its own calls and its timers are messages of its loop. */
public sealed interface EngineMessage extends Message {

    /** Loads the stored intents, and begins to follow the ports. */
    record Start() implements EngineMessage, Request<Void> {}

    /** Finishes the writes in progress and begins no others. */
    record Drain() implements EngineMessage, Request<CompletableFuture<Void>> {}

    /** Fails the requests that wait. */
    record Close() implements EngineMessage, Request<Void> {}

    record KindRegistered(IntentKind<?> kind) implements EngineMessage, Request<Void> {}

    record KindUnregistered(IntentKind<?> kind) implements EngineMessage, Request<Void> {}

    // Ports

    record NetworkChanged(Network network) implements EngineMessage {}

    record StoreChanged(Store.Change change) implements EngineMessage {}

    /** The members of the cluster may be others, or act for other keys. */
    record MembersChanged() implements EngineMessage {}

    record NodeStateChanged(DataPlane.NodeState state) implements EngineMessage {}

    // Requests

    /**
     * A change of intents.
     *
     * @param <T> the result
     */
    sealed interface Change<T> extends EngineMessage, Request<PendingChange<T>> {}

    /**
     * A change in progress.
     *
     * @param result completes with its result
     * @param changes of the store that it has made so far
     */
    record PendingChange<T>(CompletableFuture<T> result, List<StoredChange> changes) {}

    record Submit<I>(IntentKind<I> kind, List<I> intents, Precondition only) implements Change<Submission<I>> {
        public Submit {
            intents = List.copyOf(intents);
        }
    }

    /** Submits the first of a list, as many as a turn has time for. */
    record SubmitFirst<I>(IntentKind<I> kind, List<I> intents) implements Change<Submission<I>> {
        public SubmitFirst {
            intents = List.copyOf(intents);
        }
    }

    /** Submits all or none. */
    record SubmitTogether(List<IntentRequest<?>> intents) implements Change<Submission<Object>> {
        public SubmitTogether {
            intents = List.copyOf(intents);
        }
    }

    record DryRunTogether(List<IntentRequest<?>> intents) implements Change<List<DryRun<Object>>> {
        public DryRunTogether {
            intents = List.copyOf(intents);
        }
    }

    /**
     * Replaces an intent.
     *
     * @param seen the intent that the change was made for; if it is another one now, nothing is changed
     * @param next the intent after the change; empty to read the present intent
     */
    record Replace(IntentKind<?> kind, String id, Optional<?> seen, Optional<?> next, Precondition only)
            implements Change<Replacement> {}

    record Withdraw(IntentKind<?> kind, List<String> ids, Precondition only)
            implements Change<CompletableFuture<Void>> {
        public Withdraw {
            ids = List.copyOf(ids);
        }
    }

    /** Withdraws those that are there. */
    record WithdrawPresent(IntentKind<?> kind, List<String> ids) implements Change<CompletableFuture<Void>> {
        public WithdrawPresent {
            ids = List.copyOf(ids);
        }
    }

    /** No row is removed, or rows are again. */
    record KeepRows(boolean keep) implements EngineMessage {}

    record Audit() implements EngineMessage, Request<CompletableFuture<DriftReport>> {}

    /** The interval between two audits is over. */
    record AuditDue() implements EngineMessage {}

    /** A caller waits until no work is pending. */
    record AwaitIdle() implements EngineMessage, Request<CompletableFuture<Void>> {}
}
