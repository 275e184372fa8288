// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.sextant.core.calls.Daemons;
import org.sextant.core.calls.NodeCalls;
import org.sextant.core.loop.Commits;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.loop.Progress;
import org.sextant.core.loop.StoreCalls;
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
 *   callers, ports           engine thread                                     node threads
 *   submit, withdraw  ---&gt;   {@link Admission}: store, compile, who owns which row
 *   network, store    ---&gt;      |
 *                            {@link Reconciler}: queue, rounds, undo     ---&gt;   write
 *   node up, lost     ---&gt;   {@link NodeMonitor}: adoption, audits         ---&gt;   read
 *                               |                                        &lt;---   results
 *   readers           &lt;---   {@link Views}: immutable statuses
 * </pre>
 *
 * One thread owns all state, so nothing is locked; calls to nodes run on other threads and answer by message. Reading
 * never takes a thread from writing, and a call that hangs takes none from others for long. A write that hangs delays the
 * step it is part of, so the port gives every call a deadline. A change waits for the store before anything happens; the
 * thread waits with it for a moment only, and goes on with all else ({@link StoreCalls}).
 */
public final class IntentEngine implements Intents, AutoCloseable {
    private static final Duration CLOSING = Duration.ofSeconds(30);

    /** How long those wait at most who change something while somebody asks what would be. */
    private static final Duration TURN = Duration.ofMillis(20);

    /**
     * Compilations of one dry run at most: it is compiled anew if inputs of compilers have changed meanwhile. The last
     * one stands, as of its beginning.
     */
    private static final int REHEARSALS = 3;

    private final Inventory inventory;
    private final DataPlane dataPlane;
    private final Store store;
    private final Coordination coordination;
    private final EngineSettings settings;
    private final NodeCalls readers;
    private final NodeCalls writers;
    private final ExecutorService listeners;
    private final SortedMap<String, NodeTable> nodes = new TreeMap<>();
    private final IntentRegistry registry = new IntentRegistry();
    private final AuditPace pace = new AuditPace();
    private final Commits commits;
    private final IdPools pools;
    private final CapacityTracker accounting = new CapacityTracker(registry);
    private final Events events;
    private final Views views;
    private final EventLoop thread;
    private final Reports reports;
    private final NodeMonitor watch;
    private final NodeViews nodeViews;
    private final OrphanedEntries leftovers;
    private final Reconciler reconciler;
    private final Compiler compilation;
    private final Admission intake;
    private final Deletion withdrawal;
    private final IntentStore stored;
    private final DerivedIntents deriving;
    private final Recompiler recompiling;
    private final BootCounts lives;
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    public IntentEngine(
            Inventory inventory, DataPlane dataPlane, Store store, Coordination coordination, EngineSettings settings) {
        this.inventory = Objects.requireNonNull(inventory);
        this.dataPlane = Objects.requireNonNull(dataPlane);
        this.store = Objects.requireNonNull(store);
        this.coordination = Objects.requireNonNull(coordination);
        this.settings = settings;
        this.readers = new NodeCalls("sextant-read", settings.nodeThreads());
        this.writers = new NodeCalls("sextant-write", settings.nodeThreads());
        this.listeners = Executors.newSingleThreadExecutor(Daemons.numbered("sextant-events"));
        this.events = new Events(listeners);
        this.thread = new EventLoop(this::react, fault -> events.emit(new EngineEvent.Fault("engine", fault)));
        this.reports = new Reports(store, coordination, events, thread, readers, settings.retryDelay());
        this.views = new Views(settings.clock(), events, reports, registry, this::leftoversOf, nodes, this::handles);
        this.watch = new NodeMonitor(
                nodes, views, events, dataPlane, coordination, settings, thread, readers, new Reading());
        this.nodeViews = new NodeViews(nodes, watch, thread);
        ConflictResolver arbiter = new ConflictResolver();
        this.commits = new Commits(store, thread, settings.storeTiming());
        this.pools = new IdPools(commits);
        this.leftovers = new OrphanedEntries(
                nodes, registry, pools, arbiter, events, commits, settings, thread, readers, views::leftoversChanged);
        this.lives = new BootCounts(store, commits.calls(), thread, settings.retryDelay(), this::livesAnew);
        this.reconciler = new Reconciler(
                nodes,
                watch,
                registry,
                leftovers,
                lives,
                views,
                reports,
                events,
                dataPlane,
                settings,
                thread,
                writers,
                () -> compilation().context().underlay(),
                () -> deriving().quiet() && commits.quiet());
        NumberReassignment granting =
                new NumberReassignment(pools, events, leftovers, commits, coordination, thread, settings.retryDelay());
        OwnerReferences references = new OwnerReferences(registry);
        this.compilation =
                new Compiler(nodes, watch, arbiter, pools, granting, reconciler, references, accounting, views, events);
        commits.onRead(compilation::settle);
        this.intake = new Admission(registry, compilation, pools, reconciler, leftovers, views, commits, thread);
        this.withdrawal = new Deletion(registry, compilation, reconciler, leftovers, views, commits);
        this.stored = new IntentStore(registry, compilation, pools, withdrawal, views, events, commits, coordination);
        this.deriving = new DerivedIntents(registry, compilation, withdrawal, events, thread);
        this.recompiling = new Recompiler(registry, compilation, deriving, reconciler.refusals(), lives);
    }

    /**
     * Loads what is stored, compiles it, and adopts every node: reads what it holds and writes what differs. Kinds may
     * be registered before or after.
     *
     * @throws RuntimeException of the store if it cannot be read
     */
    public void start() {
        thread.ask(() -> {
            subscriptions.add(
                    inventory.onChange((before, after) -> thread.post(() -> recompiling.networkChanged(after))));
            subscriptions.add(
                    store.onChange(StoredIntent.MAP, change -> thread.post(() -> stored.storeChanged(change))));
            subscriptions.add(
                    store.onChange(OrphanedEntries.MAP, change -> thread.post(() -> leftovers.storeChanged(change))));
            subscriptions.add(store.onChange(IdPools.MAP, change -> thread.post(() -> pools.storeChanged(change))));
            subscriptions.add(store.onChange(BootCounts.MAP, change -> thread.post(() -> lives.storeChanged(change))));
            subscriptions.add(store.onChange(Reports.MAP, change -> thread.post(() -> reported(change))));
            subscriptions.add(coordination.onChange(() -> thread.post(() -> {
                watch.coordinate();
                stored.coordinate();
            })));
            subscriptions.add(dataPlane.onState(state -> thread.post(() -> watch.state(state))));
            reports.load();
            pools.load();
            lives.load();
            recompiling.networkChanged(inventory.snapshot());
            recompiling.catchUp();
            leftovers.load();
            stored.load();
            dataPlane.ready().forEach(node -> watch.state(new DataPlane.NodeState(node, true, "")));
            publishNodes();
            return null;
        });
        if (!settings.auditInterval().isZero()) {
            thread.postEvery(settings.auditInterval(), this::periodicAudit);
        }
    }

    /**
     * Finishes what is being written, starts nothing new, and waits. What was accepted goes on at the next start.
     * Closing twice is harmless.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        subscriptions.forEach(Subscription::close);
        await(thread.ask(reconciler::drain));
        thread.ask(() -> {
            commits.close();
            reconciler.close();
            return null;
        });
        thread.close(CLOSING);
        deriving.close();
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
        IntentRegistry.Kind added = thread.ask(() -> {
            IntentRegistry.Kind registered = stored.register(kind);
            deriving.derive(registered);
            leftovers.all().forEach(leftover -> views.leftoversChanged(leftover.ref()));
            return registered;
        });
        return () -> thread.ask(() -> {
            stored.unregister(added);
            return null;
        });
    }

    @Override
    public <I> Submission<I> submit(IntentKind<I> kind, List<I> intents, Precondition only) {
        List<I> copy = List.copyOf(intents);
        return witnessed(changes -> intake.submit(registry.require(kind), copy, only, changes));
    }

    /** The registered kind is a kind of the intents' type. */
    @Override
    @SuppressWarnings("unchecked")
    public <I> Submission<I> change(IntentKind<I> kind, String id, UnaryOperator<I> change, Precondition only) {
        UnaryOperator<Object> next = (UnaryOperator<Object>) change;
        return witnessed(changes -> intake.change(registry.require(kind), id, next, only, changes));
    }

    @Override
    public <I> DryRun<I> dryRun(IntentKind<I> kind, I intent, Precondition only) {
        for (int attempt = 1; ; attempt++) {
            DryRunCompilation.Prepared prepared =
                    thread.ask(() -> intake.prepare(registry.require(kind), intent, thread));
            if (prepared.rehearsal().isEmpty()) {
                return new DryRun<>(
                        new Numbered<>("", prepared.number(), intent), Compiler.refused(prepared.problems()));
            }
            DryRunCompilation rehearsal = prepared.rehearsal().get();
            Plan plan = rehearsal.compiler().get();
            boolean last = attempt == REHEARSALS;
            Optional<DryRun<I>> outcome = thread.ask(() ->
                    last || intake.holds(rehearsal) ? Optional.of(dryRun(rehearsal, plan, only)) : Optional.empty());
            if (outcome.isPresent()) {
                return outcome.get();
            }
        }
    }

    private <I> DryRun<I> dryRun(DryRunCompilation rehearsal, Plan plan, Precondition only) {
        DryRun<I> outcome = intake.dryRun(rehearsal, plan, only);
        return outcome.among(nodes.values().stream()
                .filter(NodeTable::blocks)
                .map(NodeTable::status)
                .toList());
    }

    @Override
    public CompletableFuture<Void> withdraw(IntentKind<?> kind, Collection<String> ids, Precondition only) {
        List<String> copy = List.copyOf(ids);
        return witnessed(changes -> withdrawal.withdraw(registry.require(kind), copy, only, changes));
    }

    /** Asks for a change of what is stored; the calling thread's witness is told of it, also if something fails behind it. */
    private <T> T witnessed(Function<List<StoredChange>, Progress<T>> step) {
        List<StoredChange> changes = new ArrayList<>();
        try {
            return EventLoop.result(thread.ask(() -> commits.submit(() -> step.apply(changes))));
        } finally {
            Witness.tell(changes);
        }
    }

    @Override
    public <I> Optional<IntentStatus<I>> get(IntentKind<I> kind, String id) {
        return Optional.ofNullable(views.published().get(new IntentRef(kind.name(), id)))
                .map(IntentEngine::typed);
    }

    @Override
    public void requireCertain(IntentKind<?> kind, String id) {
        StoredIntent.requireCertain(commits, new IntentRef(kind.name(), id));
    }

    @Override
    public <I> List<IntentStatus<I>> list(IntentKind<I> kind) {
        return find(kind, intent -> true);
    }

    @Override
    public <I> List<IntentStatus<I>> find(IntentKind<I> kind, Predicate<I> predicate) {
        return find(kind, "", predicate);
    }

    @Override
    public <I> List<IntentStatus<I>> within(IntentKind<I> kind, String id) {
        return find(kind, id + "/", intent -> true);
    }

    private <I> List<IntentStatus<I>> find(IntentKind<I> kind, String beginning, Predicate<I> predicate) {
        List<IntentStatus<I>> found = new ArrayList<>();
        for (IntentStatus<Object> status :
                views.published().tailMap(new IntentRef(kind.name(), beginning)).values()) {
            if (!status.kind().equals(kind.name()) || !status.id().startsWith(beginning)) {
                break;
            }
            IntentStatus<I> typed = typed(status);
            if (predicate.test(typed.intent().intent())) {
                found.add(typed);
            }
        }
        return List.copyOf(found);
    }

    @Override
    public List<EntryStatus> entries(EntryFilter filter) {
        return new EntryListing(thread, nodes, leftovers, views).entries(filter);
    }

    @Override
    public boolean derives(String kind) {
        return registry.kind(kind)
                .filter(one -> one.kind instanceof DerivedKind)
                .isPresent();
    }

    @Override
    public List<IntentRef> referers(IntentRef ref) {
        return thread.ask(() -> registry.referers(ref).stream()
                .map(referer -> referer.ref)
                .sorted()
                .toList());
    }

    @Override
    public List<NodeStatus> nodes() {
        return nodeViews.published().stream()
                .map(status -> status.with(dataPlane.notice(status.node())))
                .toList();
    }

    @Override
    public WhatIfResult foresee(Network network) {
        WhatIfAnalysis foreseeing = thread.ask(() -> compilation.foreseeing(registry, network));
        while (thread.ask(() -> foreseeing.goOn(TURN))) {
            // others have their turn
        }
        return thread.ask(foreseeing::answer);
    }

    @Override
    public CompileContext context() {
        CompileContext now = compilation.context();
        ShownLedger ledger = new ShownLedger();
        return now.accounting(seat -> ledger.get().before(seat, now::capacity))
                .seeing(views::referred)
                .following(name -> thread.ask(() -> compilation.offered(name)));
    }

    /** The reservations as they are when they are first asked for: most readers of a context never do. */
    private final class ShownLedger {
        private @Nullable ReservationTable first;

        synchronized ReservationTable get() {
            ReservationTable ledger = first;
            if (ledger == null) {
                ledger = thread.ask(accounting::shown);
                first = ledger;
            }
            return ledger;
        }
    }

    @Override
    public List<Reservation> reservations() {
        return thread.ask(accounting::shown).all();
    }

    @Override
    public CompletableFuture<AuditReport> audit() {
        return thread.ask(this::startAudit).thenCompose(this::shown);
    }

    /** Completes when readers see the nodes as they are now. */
    private <T> CompletableFuture<T> shown(T result) {
        CompletableFuture<T> shown = new CompletableFuture<>();
        thread.post(() -> {
            publishNodes();
            shown.complete(result);
        });
        return shown;
    }

    @Override
    public CompletableFuture<Void> idle() {
        return thread.ask(() -> {
            commits.catchUp();
            return reconciler.idle();
        });
    }

    @Override
    public void report(EngineEvent.IntentReported report) {
        events.emit(report);
    }

    @Override
    public Subscription listen(Consumer<EngineEvent> listener) {
        return events.listen(listener);
    }

    /** The published status of an intent of a kind is a status of the kind's type. */
    @SuppressWarnings("unchecked")
    static <I> IntentStatus<I> typed(IntentStatus<Object> status) {
        return (IntentStatus<I>) (IntentStatus<?>) status;
    }

    private Compiler compilation() {
        return compilation;
    }

    private DerivedIntents deriving() {
        return deriving;
    }

    private void react() {
        commits.catchUp();
        recompiling.catchUp();
        compilation.settle();
        reconciler.pump();
        watch.forgetNodes(compilation.context().network().nodes().keySet());
        publishNodes();
        reports.pump();
        leftovers.pump();
        reconciler.endIdle();
    }

    private void publishNodes() {
        nodeViews.publish(compilation.context().network());
    }

    private Collection<Orphan> leftoversOf(IntentRef intent) {
        return leftovers.of(intent);
    }

    private void livesAnew(String node) {
        recompiling.nodeChanged(node);
        thread.post(() -> {}); // it is compiled again between messages
    }

    private boolean handles(String node) {
        return nodes.containsKey(node) && nodes.get(node).mine;
    }

    private void reported(Store.Change change) {
        reports.storeChanged(change);
        registry.find(Reports.refOf(change.key())).ifPresent(views::refresh);
    }

    /** What a reading of a node means to the rest. */
    private final class Reading implements NodeMonitor.Reader {

        @Override
        public void offers(String node, Capabilities capabilities) {
            recompiling.capabilitiesChanged(node, capabilities);
        }

        @Override
        public void unblocked(String node) {
            reconciler.retry(intent -> intent.waitingFor.contains(node));
        }

        @Override
        public void changed(NodeTable node) {
            leftovers.tellOf(node);
        }

        @Override
        public void reading(NodeTable node) {
            leftovers.reading(node);
        }

        @Override
        public void read(NodeTable node) {
            leftovers.prune();
        }

        /**
         * Rows that an earlier run left may be wanted when an app is back, or when a node has told its MAC addresses; a
         * restart of the controller beside a node that is away must not cost the others their routes to it.
         */
        @Override
        public boolean originUnknown() {
            return stored.dormant()
                    || !deriving.quiet()
                    || compilation.context().network().nodes().values().stream()
                            .filter(node -> !node.management().isEmpty())
                            .map(node -> watch.node(node.name()))
                            .anyMatch(node -> node.mine && node.adopted == null);
        }
    }

    /** Reads the nodes, and tries again what they refused. */
    private CompletableFuture<AuditReport> startAudit() {
        CompletableFuture<AuditReport> report = watch.audit();
        leftovers.dropOutside(compilation.context().network().nodes().keySet());
        if (coordination.isMine(IntentStore.NUMBERING)) {
            reports.tidy(
                    ref -> registry.find(ref).isPresent() || registry.dormant().containsKey(ref.toString()));
        }
        reconciler.retry(intent ->
                intent.waitingFor.stream().noneMatch(node -> watch.node(node).blocks()));
        return report;
    }

    private void periodicAudit() {
        watch.catchUp();
        if (!watch.auditing() && pace.begins(reconciler.waiting())) {
            startAudit();
        }
    }

    private static void await(CompletableFuture<Void> drained) {
        try {
            drained.get(CLOSING.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            return; // a node that does not answer: what it holds is read again at the next start
        }
    }
}
