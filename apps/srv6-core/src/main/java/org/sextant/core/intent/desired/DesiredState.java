// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.CompilerStatus;
import org.sextant.core.intent.DerivedKind;
import org.sextant.core.intent.DryRun;
import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.IntentRequest;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Precondition;
import org.sextant.core.intent.StoredChange;
import org.sextant.core.intent.Submission;
import org.sextant.core.intent.WhatIfResult;
import org.sextant.core.intent.allocate.Allocations;
import org.sextant.core.intent.allocate.ReservationTable;
import org.sextant.core.intent.install.Installation;
import org.sextant.core.intent.install.Reconciler;
import org.sextant.core.intent.orphan.Orphan;
import org.sextant.core.intent.orphan.OrphanedEntries;
import org.sextant.core.intent.status.Views;
import org.sextant.core.loop.Progress;
import org.sextant.core.net.Network;
import org.sextant.core.port.Capabilities;
import org.sextant.core.port.Store;

/**
 * The desired state of intents: admission and deletion, durable before they count; plans, and the decisions between
 * plans in conflict. Used by the event loop only, unless a method states otherwise.
 */
public final class DesiredState {
    /**
     * Compilations of one dry run at most: it is compiled again if inputs of compilers have changed meanwhile. The last
     * one stands, as of its beginning.
     */
    private static final int DRY_RUN_COMPILATIONS = 3;

    private final EngineRuntime runtime;
    private final Allocations allocations;
    private final IntentRegistry registry;
    private final ConflictResolver conflicts = new ConflictResolver();
    private final Compiler compiler;
    private final Admission admission;
    private final Deletion deletion;
    private final IntentStore stored;
    private final DerivedIntents derived;
    private final Recompiler recompiler;
    private final CompilerAgreement agreement;
    private final Reconciler reconciler;

    /** The last turn has left something to compile. */
    private boolean compiling;

    /** Nodes are not written: this controller stands aside, or has not compiled all intents since. */
    private boolean holding;

    public DesiredState(
            EngineRuntime runtime,
            Allocations allocations,
            IntentRegistry registry,
            Installation installation,
            OrphanedEntries orphans,
            Views views) {
        DesiredRooms rooms = new DesiredRooms(runtime, allocations, installation, orphans, views);
        this.runtime = runtime;
        this.allocations = allocations;
        this.registry = registry;
        this.agreement = new CompilerAgreement(runtime);
        this.compiler = new Compiler(rooms, new NumberReassignment(rooms, agreement), registry, conflicts);
        this.admission = new Admission(rooms, registry, compiler);
        this.deletion = new Deletion(rooms, registry, compiler);
        this.stored = new IntentStore(rooms, registry, compiler, deletion);
        this.derived = new DerivedIntents(runtime, registry, compiler, deletion);
        this.recompiler = new Recompiler(registry, compiler, derived, installation, agreement);
        this.reconciler = installation.reconciler();
        runtime.commits().onRead(compiler::settle);
    }

    // Requests

    public Progress<Submission<Object>> submit(
            IntentKind<?> kind, List<?> intents, Precondition only, List<StoredChange> changes) {
        return admission.submit(registry.require(kind), intents, only, changes);
    }

    /** True if a list may be admitted a part at a time. */
    public boolean isDivisible(IntentKind<?> kind, List<?> intents) {
        return admission.isDivisible(registry.require(kind), intents);
    }

    /** Admits the first of a list, as many as there is time for in a turn: those that have an outcome. */
    public Progress<Submission<Object>> submitFirst(IntentKind<?> kind, List<?> intents, List<StoredChange> changes) {
        return admission.submitFirst(registry.require(kind), intents, changes);
    }

    /** All or none. */
    public Progress<Submission<Object>> submitTogether(List<IntentRequest<?>> intents, List<StoredChange> changes) {
        return admission.submitTogether(items(intents), changes);
    }

    public Progress<List<DryRun<Object>>> dryRunTogether(List<IntentRequest<?>> intents) {
        return new Progress.Done<>(admission.dryRunTogether(items(intents)));
    }

    private List<AdmissionRequest.Item> items(List<IntentRequest<?>> intents) {
        return intents.stream()
                .map(one -> new AdmissionRequest.Item(registry.require(one.kind()), one.intent()))
                .toList();
    }

    /**
     * Replaces an intent, if it is still the one that the change was made for.
     *
     * @param seen that one
     */
    public Progress<Replacement> replace(
            IntentKind<?> kind,
            String id,
            Optional<?> seen,
            Optional<?> next,
            Precondition only,
            List<StoredChange> changes) {
        return admission.replace(registry.require(kind), id, seen, next, only, changes);
    }

    public Progress<CompletableFuture<Void>> withdraw(
            IntentKind<?> kind, Collection<String> ids, Precondition only, List<StoredChange> changes) {
        return deletion.withdraw(registry.require(kind), ids, only, changes);
    }

    /** The parts in which a list may be withdrawn, one after the other; an intent may have been withdrawn by others until it has its turn. */
    public List<List<String>> partsToWithdraw(IntentKind<?> kind, Collection<String> ids) {
        return deletion.parts(registry.require(kind), ids);
    }

    /** As {@link #withdraw}, for the existing ones of these ids. */
    public Progress<CompletableFuture<Void>> withdrawPresent(
            IntentKind<?> kind, Collection<String> ids, List<StoredChange> changes) {
        IntentRegistry.Kind known = registry.require(kind);
        List<String> present = ids.stream().filter(known.byId::containsKey).toList();
        return deletion.withdraw(known, present, Precondition.NONE, changes);
    }

    /** The result that submitting an intent would have; compiled on the calling thread, which is not the event loop. */
    public <I> DryRun<I> dryRun(IntentKind<I> kind, I intent, Precondition only) {
        for (int attempt = 1; ; attempt++) {
            DryRunCompilation.Preparation prepared =
                    runtime.loop().ask(() -> admission.prepare(registry.require(kind), intent, runtime.loop()));
            if (prepared.compilation().isEmpty()) {
                return new DryRun<>(
                        new NumberedIntent<>("", prepared.number(), intent), Plan.rejected(prepared.problems()));
            }
            DryRunCompilation compilation = prepared.compilation().get();
            Plan plan = compilation.compiler().get();
            boolean last = attempt == DRY_RUN_COMPILATIONS;
            Optional<DryRun<I>> outcome = runtime.loop()
                    .ask(() -> last || admission.holds(compilation)
                            ? Optional.of(admission.dryRun(compilation, plan, only))
                            : Optional.empty());
            if (outcome.isPresent()) {
                return outcome.get();
            }
        }
    }

    /** Compiles all intents for another network; called on any thread but the event loop, which it takes in turns. */
    public WhatIfResult whatIf(Network network) {
        WhatIfAnalysis analysis = runtime.loop().ask(() -> compiler.foreseeing(registry, network));
        while (runtime.loop().ask(() -> analysis.goOn(runtime.loop().turn()))) {
            // other messages have their turn
        }
        return runtime.loop().ask(analysis::answer);
    }

    /**
     * Any thread may call it.
     *
     * @throws org.sextant.core.port.StoreUnavailableException while the stored state of the intent is unknown
     */
    public void requireCertain(IntentRef intent) {
        StoredIntent.requireCertain(runtime.commits(), intent);
    }

    // Kinds

    /** Registers a kind, and compiles its stored intents. */
    public void register(IntentKind<?> kind) {
        IntentRegistry.Kind registered = stored.register(kind);
        derived.derive(registered);
        derived.goOn(runtime.loop().turn());
    }

    /** Unregisters a kind, and leaves the entries of its intents on the nodes. */
    public void unregister(IntentKind<?> kind) {
        registry.kind(kind.name()).filter(one -> one.kind == kind).ifPresent(stored::unregister);
    }

    /** Any thread may call it. */
    public boolean derives(String kind) {
        return registry.kind(kind)
                .filter(one -> one.kind instanceof DerivedKind)
                .isPresent();
    }

    // Changes from outside

    /** Reads the compiler versions of the cluster; before anything is compiled. */
    public void loadCompilerVersions() {
        agreement.load();
    }

    public void compilerVersionsChanged(Store.Change change) {
        agreement.storeChanged(change);
    }

    /** Removes the compiler versions of members that left the cluster. */
    public void tidyCompilerVersions() {
        agreement.tidy();
    }

    public void load() {
        stored.load();
    }

    public void storeChanged(Store.Change change) {
        stored.storeChanged(change);
    }

    /** The work may be divided otherwise among controllers. */
    public void coordinate() {
        stored.coordinate();
    }

    public void networkChanged(Network network) {
        recompiler.networkChanged(network);
    }

    public void capabilitiesChanged(String node, Capabilities capabilities) {
        recompiler.capabilitiesChanged(node, capabilities);
    }

    /** A property of a node that compilers use has changed. */
    public void nodeChanged(String node) {
        recompiler.nodeChanged(node);
    }

    /** Entries without an intent may still forward packets. */
    public void orphaned(Orphan orphan) {
        registry.hold(orphan.number());
        conflicts.orphaned(orphan);
    }

    public void orphanGone(Orphan orphan) {
        conflicts.gone(orphan);
        registry.letGo(orphan.number());
    }

    /**
     * Reacts to the changes since the last time: compiles again, and decides. Work that takes longer than a turn
     * continues in the next reaction.
     */
    public void catchUp() {
        agreement.pump();
        recompiler.catchUp();
        boolean more = derived.goOn(runtime.loop().turn());
        more |= recompiler.goOn(runtime.loop().turn());
        if (more != compiling) {
            reconciler.keepRows(more);
            compiling = more;
        }
        boolean hold = agreement.standsAside() || holding && more;
        if (hold != holding) {
            reconciler.hold(hold);
            holding = hold;
        }
        if (more) {
            runtime.loop().react();
        }
    }

    /** Keeps all rows from removal, until it is called with false: between the parts of a list. */
    public void keepRows(boolean keep) {
        reconciler.keepRows(keep);
    }

    public void settle() {
        compiler.settle();
    }

    // Questions

    /** The network that intents are compiled for; any thread may call it. */
    public Network network() {
        return compiler.context().network();
    }

    /** Any thread may call it. */
    public CompilerStatus compilerStatus() {
        return agreement.status();
    }

    /** True if this controller must write no node and change no intent. */
    public boolean standsAside() {
        return agreement.standsAside();
    }

    /** @throws org.sextant.core.ProblemException CONFLICT if this controller stands aside */
    public void requireInForce() {
        agreement.requireInForce();
    }

    /** For compilers that any thread but the event loop runs. */
    public CompileContext context() {
        CompileContext now = compiler.context();
        ReservationsOnce reservations = new ReservationsOnce();
        return now.accounting(key -> reservations.get().before(key, now::capacity))
                .following(compiler::offered);
    }

    /** The reservations at the first use: most readers of a context never need them. */
    private final class ReservationsOnce {
        private @Nullable ReservationTable first;

        synchronized ReservationTable get() {
            ReservationTable table = first;
            if (table == null) {
                table = runtime.loop().ask(allocations.capacity()::shown);
                first = table;
            }
            return table;
        }
    }

    /** True if a stored intent, by its reference, is there, compiled or not. */
    public boolean isKnown(IntentRef ref) {
        return registry.find(ref).isPresent() || registry.dormant().containsKey(ref.toString());
    }

    /** True while intents that are not compiled yet may own entries that nodes have. */
    public boolean isIncomplete() {
        return stored.dormant() || !derived.quiet();
    }

    /** True if no change and no derivation is pending. */
    public boolean isQuiet() {
        return recompiler.quiet()
                && derived.quiet()
                && agreement.isQuiet()
                && runtime.commits().quiet();
    }

    public void close() {
        derived.close();
        compiler.close();
    }
}
