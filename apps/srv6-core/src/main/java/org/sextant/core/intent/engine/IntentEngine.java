// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.sextant.core.calls.Daemons;
import org.sextant.core.calls.NodeCalls;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.CompilerStatus;
import org.sextant.core.intent.DriftReport;
import org.sextant.core.intent.DryRun;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.EntryFilter;
import org.sextant.core.intent.EntryStatus;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.IntentRequest;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Intents;
import org.sextant.core.intent.NodeStatus;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Precondition;
import org.sextant.core.intent.Reservation;
import org.sextant.core.intent.Submission;
import org.sextant.core.intent.WhatIfResult;
import org.sextant.core.intent.allocate.Allocations;
import org.sextant.core.intent.desired.DesiredState;
import org.sextant.core.intent.desired.IntentRegistry;
import org.sextant.core.intent.install.InstallListener;
import org.sextant.core.intent.install.Installation;
import org.sextant.core.intent.install.NodeTable;
import org.sextant.core.intent.install.TrackedIntent;
import org.sextant.core.intent.orphan.Orphan;
import org.sextant.core.intent.orphan.OrphanListener;
import org.sextant.core.intent.orphan.OrphanedEntries;
import org.sextant.core.intent.status.StatusBoard;
import org.sextant.core.loop.Commits;
import org.sextant.core.loop.EngineLoad;
import org.sextant.core.loop.EngineThread;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.loop.Message;
import org.sextant.core.net.Network;
import org.sextant.core.port.Capabilities;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.Inventory;
import org.sextant.core.port.Store;
import org.sextant.core.port.Subscription;

/**
 * Installs intents and keeps them installed.
 *
 * <pre>
 *   callers, ports             event loop                                          other threads
 *   submit, withdraw    ---&gt;   {@link DesiredState}: durable, compiled, decided     ---&gt;   store
 *   network, store      ---&gt;      |  admitted entries
 *                              {@link Installation}: update plans, undo, drift    ---&gt;   read, write
 *   node up, lost       ---&gt;      |  observed entries                            &lt;---   results
 *                              {@link OrphanedEntries}: entries without an intent
 *   readers             &lt;---   {@link StatusBoard}: immutable statuses
 * </pre>
 *
 * One thread owns all state, so nothing is locked; calls of nodes and of the store run on other threads and answer by message.
 * Reading never takes a thread from writing, and a call that hangs takes none from others for long. A write that hangs delays the
 * step it is part of, so the port gives every call a deadline. A change waits for the store before anything happens; the thread
 * waits with it for a moment only, and goes on with all else ({@link Commits}).
 */
public final class IntentEngine implements Intents, AutoCloseable {
    private static final Duration CLOSING = Duration.ofSeconds(30);

    private final Inventory inventory;
    private final DataPlane dataPlane;
    private final Store store;
    private final EngineSettings settings;
    private final NodeCalls readers;
    private final NodeCalls writers;
    private final ExecutorService listeners;
    private final Events events;
    private final EventLoop loop;
    private final Commits commits;
    private final Coordination coordination;
    private final IntentRegistry registry = new IntentRegistry();
    private final Allocations allocations;
    private final Installation installation;
    private final OrphanedEntries orphans;
    private final StatusBoard status;
    private final DesiredState desired;
    private final MessageHandler handler;
    private final Changes changes;
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    public IntentEngine(
            Inventory inventory, DataPlane dataPlane, Store store, Coordination coordination, EngineSettings settings) {
        this(
                new Ports(inventory, dataPlane, store, coordination),
                settings,
                EngineThread.factory(settings.clock(), Optional.empty()));
    }

    /** The ports of an engine. */
    public record Ports(Inventory inventory, DataPlane dataPlane, Store store, Coordination coordination) {}

    /** @param loops makes the loop that owns the engine's state */
    public IntentEngine(Ports ports, EngineSettings settings, EventLoop.Factory loops) {
        this.inventory = Objects.requireNonNull(ports.inventory());
        this.dataPlane = Objects.requireNonNull(ports.dataPlane());
        this.store = Objects.requireNonNull(ports.store());
        this.readers = new NodeCalls("sextant-read", settings.nodeThreads());
        this.writers = new NodeCalls("sextant-write", settings.nodeThreads());
        this.listeners = Executors.newSingleThreadExecutor(Daemons.numbered("sextant-events"));
        this.events = new Events(listeners);
        this.loop =
                loops.create(this::handle, this::react, fault -> events.emit(new EngineEvent.Fault("engine", fault)));
        this.settings = settings.withClock(loop.clock());
        this.coordination = new ObservedCoordination(Objects.requireNonNull(ports.coordination()), loop);
        this.commits = new Commits(store, loop, settings.storeTimeouts());
        EngineRuntime runtime = new EngineRuntime(loop, this.settings, coordination, commits, events::emit);
        Reactions reactions = new Reactions();
        this.allocations = new Allocations(runtime, registry);
        this.installation = new Installation(runtime, dataPlane, readers, writers, registry, reactions);
        this.orphans = new OrphanedEntries(installation.nodes(), allocations.pools(), runtime, readers, reactions);
        this.status = new StatusBoard(runtime, installation, orphans, registry);
        this.desired = new DesiredState(runtime, allocations, registry, installation, orphans, status.views());
        this.handler = new MessageHandler(
                inventory, dataPlane, new Rooms(runtime, desired, allocations, installation, orphans, status));
        this.changes = new Changes(loop, desired);
    }

    private @Nullable Object handle(Message message) {
        if (message instanceof EngineMessage.Start) {
            subscribe(); // later changes are messages behind this one
        }
        return handler.handle(message);
    }

    private void subscribe() {
        subscriptions.add(inventory.onChange((before, after) -> loop.post(new EngineMessage.NetworkChanged(after))));
        MessageHandler.maps()
                .forEach(map -> subscriptions.add(
                        store.onChange(map, change -> loop.post(new EngineMessage.StoreChanged(change)))));
        subscriptions.add(coordination.onChange(() -> loop.post(new EngineMessage.MembersChanged())));
        subscriptions.add(dataPlane.onState(state -> loop.post(new EngineMessage.NodeStateChanged(state))));
    }

    private void react() {
        handler.react();
    }

    /**
     * Loads the stored intents, compiles them, and adopts every node: reads its entries and writes the differences.
     * Kinds may be registered before or after.
     *
     * @throws RuntimeException of the store if it cannot be read
     */
    public void start() {
        loop.request(new EngineMessage.Start());
        if (!settings.auditInterval().isZero()) {
            loop.every(settings.auditInterval(), new EngineMessage.AuditDue());
        }
    }

    /**
     * Finishes the writes in progress, starts no others, and waits. The next start resumes the accepted intents.
     * Closing twice is harmless.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        subscriptions.forEach(Subscription::close);
        await(loop.request(new EngineMessage.Drain()));
        loop.request(new EngineMessage.Close());
        loop.close(CLOSING);
        release();
    }

    /** Ends the engine's threads, without finishing anything; {@link #close} does that first. */
    public void release() {
        desired.close();
        commits.calls().close();
        readers.close();
        writers.close();
        end(listeners);
    }

    private static void end(ExecutorService executor) {
        executor.shutdown();
        try {
            executor.awaitTermination(CLOSING.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public <I> Subscription register(IntentKind<I> kind) {
        loop.request(new EngineMessage.KindRegistered(kind));
        return () -> loop.request(new EngineMessage.KindUnregistered(kind));
    }

    @Override
    public <I> Submission<I> submit(IntentKind<I> kind, List<I> intents, Precondition only) {
        return changes.submit(kind, List.copyOf(intents), only);
    }

    @Override
    public Submission<Object> submitTogether(List<IntentRequest<?>> intents) {
        return changes.submitTogether(List.copyOf(intents));
    }

    @Override
    public List<DryRun<Object>> dryRunTogether(List<IntentRequest<?>> intents) {
        return changes.dryRunTogether(List.copyOf(intents));
    }

    @Override
    public <I> Submission<I> change(IntentKind<I> kind, String id, UnaryOperator<I> change, Precondition only) {
        return changes.change(kind, id, change, only);
    }

    @Override
    public <I> DryRun<I> dryRun(IntentKind<I> kind, I intent, Precondition only) {
        DryRun<I> outcome = desired.dryRun(kind, intent, only);
        return outcome.among(status.nodes().stream()
                .filter(node -> node.state() == NodeStatus.State.LOST)
                .toList());
    }

    @Override
    public CompletableFuture<Void> withdraw(IntentKind<?> kind, Collection<String> ids, Precondition only) {
        return changes.withdraw(kind, List.copyOf(ids), only);
    }

    @Override
    public <I> Optional<IntentStatus<I>> get(IntentKind<I> kind, String id) {
        return status.views().get(kind, id);
    }

    @Override
    public void requireCertain(IntentKind<?> kind, String id) {
        desired.requireCertain(new IntentRef(kind.name(), id));
    }

    @Override
    public <I> List<IntentStatus<I>> list(IntentKind<I> kind) {
        return status.views().find(kind, "", intent -> true);
    }

    @Override
    public Collection<IntentStatus<Object>> statuses() {
        return status.views().all();
    }

    @Override
    public <I> List<IntentStatus<I>> find(IntentKind<I> kind, Predicate<I> predicate) {
        return status.views().find(kind, "", predicate);
    }

    @Override
    public <I> List<IntentStatus<I>> within(IntentKind<I> kind, String id) {
        return status.views().find(kind, id + "/", intent -> true);
    }

    @Override
    public List<EntryStatus> entries(EntryFilter filter) {
        return status.entries(filter);
    }

    @Override
    public boolean derives(String kind) {
        return desired.derives(kind);
    }

    @Override
    public List<IntentRef> referers(IntentRef ref) {
        return registry.referers(ref).stream().map(TrackedIntent::ref).sorted().toList();
    }

    @Override
    public List<NodeStatus> nodes() {
        return status.nodes().stream()
                .map(status -> status.with(dataPlane.notice(status.node())))
                .toList();
    }

    @Override
    public WhatIfResult foresee(Network network) {
        return desired.whatIf(network);
    }

    @Override
    public CompilerStatus compilerStatus() {
        return desired.compilerStatus();
    }

    @Override
    public CompileContext context() {
        return desired.context().seeing(status.views()::referred);
    }

    @Override
    public List<Reservation> reservations() {
        return loop.ask(allocations.capacity()::shown).all();
    }

    @Override
    public CompletableFuture<DriftReport> audit() {
        return loop.request(new EngineMessage.Audit());
    }

    /**
     * The longest time that the event loop was held by one message, or by the reaction to several, since the last call.
     */
    public Duration takeLongestHold() {
        return loop.takeLongestHold();
    }

    @Override
    public EngineLoad load() {
        return loop.load();
    }

    @Override
    public CompletableFuture<Void> idle() {
        return loop.request(new EngineMessage.AwaitIdle());
    }

    @Override
    public void report(EngineEvent.IntentReported report) {
        events.emit(report);
    }

    @Override
    public Subscription listen(Consumer<EngineEvent> listener) {
        return events.listen(listener);
    }

    /** Passes the events of one package on to those above it. */
    private final class Reactions implements InstallListener, OrphanListener {

        @Override
        public void changed(TrackedIntent intent) {
            status.views().refresh(intent);
        }

        @Override
        public void leaving(TrackedIntent intent, List<Plan.Placed> next) {
            orphans.noteBlocked(intent, next);
        }

        @Override
        public void written() {
            orphans.prune();
        }

        @Override
        public void supports(String node, Capabilities capabilities) {
            desired.capabilitiesChanged(node, capabilities);
        }

        @Override
        public void restarted(String node) {
            desired.nodeChanged(node);
            loop.react(); // it is compiled again between messages
        }

        @Override
        public void changed(NodeTable node) {
            orphans.nodeChanged(node);
        }

        @Override
        public void reading(NodeTable node) {
            orphans.reading(node);
        }

        @Override
        public void read(NodeTable node) {
            orphans.prune();
        }

        /**
         * Entries of an earlier run may be desired again when an app is back, or when a node has reported its MAC
         * addresses; a restart of the controller beside a node that is away must not remove the others' routes to it.
         */
        @Override
        public boolean isOriginUnknown() {
            return desired.isIncomplete()
                    || desired.network().nodes().values().stream()
                            .filter(node -> !node.management().isEmpty())
                            .map(node -> installation.monitor().node(node.name()))
                            .anyMatch(node -> node.isMine() && node.adopted() == null);
        }

        @Override
        public void added(Orphan orphan) {
            desired.orphaned(orphan);
        }

        @Override
        public void removed(Orphan orphan) {
            desired.orphanGone(orphan);
        }

        @Override
        public void changed(IntentRef intent) {
            status.views().orphansChanged(intent);
        }
    }

    private static void await(CompletableFuture<Void> drained) {
        try {
            drained.get(CLOSING.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            return; // the next start reads the entries of a node that does not answer
        }
    }
}
