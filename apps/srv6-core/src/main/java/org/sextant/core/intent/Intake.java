// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.net.Network;
import org.sextant.core.port.Capabilities;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.Store;

/**
 * Decides what is wanted: takes intents in, keeps them in the store, and compiles them again when the network, a node's
 * capabilities or the store change. Touched by the engine's thread only.
 *
 * <p>The store is written before anything else happens, in one step for a bulk; if that fails nothing changed. An intent
 * that compiled when it was accepted and does not any more (no path is left, a node lost a table) keeps nothing
 * installed: its traffic falls back to the underlay, its state is FAILED with the compiler's problems, and it comes back
 * by itself when it compiles again.
 */
final class Intake {

    /** The coordination key of the controller that settles what two controllers numbered alike. */
    static final String NUMBERING = "intents";

    /** How long who submits waits for other controllers; theirs may have died, and another takes over in seconds. */
    private static final Duration HEARING = Duration.ofSeconds(3);

    private final Registry registry;
    private final Compilation compilation;
    private final Reconciler reconciler;
    private final Views views;
    private final Events events;
    private final Store store;
    private final Coordination coordination;
    private final EngineThread thread;
    private final Map<String, Capabilities> capabilities = new HashMap<>();
    private final Set<String> newCapabilities = new HashSet<>();
    private final Set<String> departed = new HashSet<>();
    private final Set<String> storeChanges = new LinkedHashSet<>();
    private CompileContext context = new CompileContext(Network.EMPTY, Map.of());
    private Network latest = Network.EMPTY;
    private boolean conflictsMayHaveEnded;

    Intake(
            Registry registry,
            Compilation compilation,
            Reconciler reconciler,
            Views views,
            Events events,
            Store store,
            Coordination coordination,
            EngineThread thread) {
        this.registry = registry;
        this.compilation = compilation;
        this.reconciler = reconciler;
        this.views = views;
        this.events = events;
        this.store = store;
        this.coordination = coordination;
        this.thread = thread;
    }

    CompileContext context() {
        return context;
    }

    // Submitting

    /** What a bulk did so far; undone in reverse if the store does not take it. */
    private static final class Bulk {
        final Map<String, String> values = new LinkedHashMap<>();
        final Set<Tracked> accepted = new LinkedHashSet<>();
        final Deque<Runnable> undo = new ArrayDeque<>();
    }

    /** What a bulk's intent comes to, before the store has it. */
    private record Proposal(Optional<Tracked> intent, boolean changed, List<Problem> problems) {}

    <I> Submission<I> submit(Registry.Kind kind, List<I> intents) {
        requireSubmitted(kind);
        Bulk bulk = new Bulk();
        List<Proposal> proposed = new ArrayList<>();
        intents.forEach(intent -> proposed.add(propose(kind, intent, bulk)));
        if (!bulk.values.isEmpty()) {
            try {
                store.put(StoredIntent.MAP, bulk.values);
            } catch (RuntimeException e) {
                bulk.undo.forEach(Runnable::run);
                throw e;
            }
        }
        bulk.accepted.forEach(reconciler::enqueue);
        CompletableFuture<?>[] resting = bulk.accepted.stream()
                .map(intent -> intent.rest().thenCompose(rests -> heard(intent)))
                .toArray(CompletableFuture<?>[]::new);
        return new Submission<>(
                proposed.stream().map(this::<I>outcome).toList(), CompletableFuture.allOf(resting));
    }

    private CompletableFuture<Void> heard(Tracked intent) {
        CompletableFuture<Void> heard = intent.heard();
        if (!heard.isDone()) {
            thread.postAfter(HEARING, () -> heard.complete(null));
        }
        return heard;
    }

    /** The status is only known when the bulk is stored. */
    private <I> Submission.Outcome<I> outcome(Proposal proposal) {
        Optional<IntentStatus<I>> status =
                proposal.intent().map(intent -> IntentEngine.typed(views.published().get(intent.ref)));
        return new Submission.Outcome<>(status, proposal.changed(), proposal.problems());
    }

    private Proposal propose(Registry.Kind kind, Object intent, Bulk bulk) {
        Tracked existing = kind.byIdentity.get(kind.kind.identity(intent));
        try {
            return existing == null ? create(kind, intent, bulk) : replace(existing, intent, bulk);
        } catch (ProblemException e) {
            return rejected(e.problems());
        }
    }

    private Proposal create(Registry.Kind kind, Object intent, Bulk bulk) {
        Numbered<Object> numbered = new Numbered<>(registry.newId(kind, intent), registry.nextNumber(), intent);
        IntentRef ref = new IntentRef(kind.kind.name(), numbered.id());
        Tracked tracked = new Tracked(
                kind.kind, numbered, StoredIntent.encode(ref, numbered.number(), kind.kind.encode(intent)));
        Plan plan = plan(kind.kind, tracked, numbered);
        if (!plan.feasible()) {
            return rejected(plan.problems());
        }
        registry.put(kind, tracked);
        bulk.undo.push(() -> {
            reconciler.setTarget(tracked, List.of());
            registry.remove(kind, tracked);
            registry.free(tracked);
        });
        return accepted(tracked, plan, bulk);
    }

    private Proposal replace(Tracked existing, Object intent, Bulk bulk) {
        Numbered<Object> numbered = new Numbered<>(existing.ref.id(), existing.number(), intent);
        String json = StoredIntent.encode(existing.ref, existing.number(), existing.kind.encode(intent));
        if (json.equals(existing.json)) {
            return new Proposal(Optional.of(existing), false, List.of());
        }
        Plan plan = plan(existing.kind, existing, numbered);
        if (!plan.feasible()) {
            return rejected(plan.problems());
        }
        Numbered<Object> oldIntent = existing.intent;
        String oldJson = existing.json;
        Plan oldPlan = existing.plan;
        bulk.undo.push(() -> {
            existing.intent = oldIntent;
            existing.json = oldJson;
            existing.plan = oldPlan;
            reconciler.setTarget(existing, oldPlan.entries());
            reconciler.enqueue(existing);
        });
        existing.intent = numbered;
        existing.json = json;
        return accepted(existing, plan, bulk);
    }

    private Proposal accepted(Tracked tracked, Plan plan, Bulk bulk) {
        tracked.plan = plan;
        reconciler.setTarget(tracked, plan.entries());
        bulk.values.put(tracked.ref.toString(), tracked.json);
        bulk.accepted.add(tracked);
        return new Proposal(Optional.of(tracked), true, List.of());
    }

    private static Proposal rejected(List<Problem> problems) {
        return new Proposal(Optional.empty(), false, problems);
    }

    private static void requireSubmitted(Registry.Kind kind) {
        if (kind.kind instanceof DerivedKind) {
            throw new IllegalArgumentException("intents of kind " + kind.kind.name() + " follow from the network");
        }
    }

    Plan dryRun(Registry.Kind kind, Object intent) {
        requireSubmitted(kind);
        Tracked existing = kind.byIdentity.get(kind.kind.identity(intent));
        try {
            Numbered<Object> numbered = existing == null
                    ? new Numbered<>(registry.newId(kind, intent), registry.nextNumber(), intent)
                    : new Numbered<>(existing.ref.id(), existing.number(), intent);
            return plan(kind.kind, existing, numbered);
        } catch (ProblemException e) {
            return Compilation.refused(e.problems());
        }
    }

    CompletableFuture<Void> withdraw(Registry.Kind kind, Collection<String> ids) {
        requireSubmitted(kind);
        List<Problem> unknown = ids.stream().filter(id -> !kind.byId.containsKey(id)).map(id -> new Problem(
                Problem.Code.UNKNOWN, "/id", "there is no " + kind.kind.name() + " with the id \"" + id + "\"",
                "list them to see the ids")).toList();
        if (!unknown.isEmpty()) {
            throw new ProblemException(unknown);
        }
        List<Tracked> leaving = ids.stream().distinct().map(kind.byId::get).toList();
        store.removeAll(StoredIntent.MAP, leaving.stream().map(intent -> intent.ref.toString()).toList());
        return CompletableFuture.allOf(
                leaving.stream().map(intent -> drop(kind, intent)).toArray(CompletableFuture<?>[]::new));
    }

    private CompletableFuture<Void> drop(Registry.Kind kind, Tracked intent) {
        registry.remove(kind, intent);
        views.remove(intent);
        intent.removed = true;
        reconciler.setTarget(intent, List.of());
        reconciler.enqueue(intent);
        conflictsMayHaveEnded = true;
        return intent.rest();
    }

    // Kinds and the store

    void load() {
        store.all(StoredIntent.MAP).forEach(this::sleep);
        registry.kinds().forEach(this::wake);
    }

    Registry.Kind register(IntentKind<?> kind) {
        Registry.Kind added = registry.add(kind);
        departed.remove(kind.name());
        wake(added);
        derive(added, false);
        return added;
    }

    void unregister(Registry.Kind kind) {
        registry.remove(kind);
        departed.add(kind.kind.name());
        for (Tracked intent : kind.byId.values()) {
            views.remove(intent);
            registry.abandon(intent);
            reconciler.abandon(intent);
            if (intent.json != null) {
                registry.dormant().put(intent.ref.toString(), intent.json);
            }
        }
    }

    /** Intents that are not compiled may own rows on the nodes: stored ones, or those of a kind that left. */
    boolean dormant() {
        return !registry.dormant().isEmpty() || !departed.isEmpty();
    }

    private void sleep(String key, String json) {
        registry.dormant().put(key, json);
        try {
            registry.reserve(StoredIntent.parse(key, json).number());
        } catch (IllegalArgumentException e) {
            events.emit(new EngineEvent.StoredIntentUnreadable(key, e.getMessage()));
        }
    }

    private void wake(Registry.Kind kind) {
        List<Tracked> woken = new ArrayList<>();
        for (Map.Entry<String, String> stored : List.copyOf(registry.dormant().entrySet())) {
            if (StoredIntent.kindOf(stored.getKey()).equals(kind.kind.name())) {
                decode(kind, stored.getKey(), stored.getValue()).ifPresent(intent -> {
                    registry.dormant().remove(stored.getKey());
                    woken.add(intent);
                });
            }
        }
        woken.sort((a, b) -> Integer.compare(a.number(), b.number()));
        woken.forEach(intent -> {
            intent.inherited = true;
            settleNumber(StoredIntent.parse(intent.ref.toString(), intent.json));
            registry.put(kind, intent);
            adopt(intent, plan(kind.kind, intent, intent.intent));
        });
    }

    private Optional<Tracked> decode(Registry.Kind kind, String key, String json) {
        try {
            StoredIntent stored = StoredIntent.parse(key, json);
            Object intent = kind.kind.decode(stored.intent());
            return Optional.of(new Tracked(kind.kind, new Numbered<>(stored.ref().id(), stored.number(), intent), json));
        } catch (RuntimeException e) {
            // It stays in the store and among the dormant ones: a later version may read it.
            events.emit(new EngineEvent.StoredIntentUnreadable(key, e.getMessage()));
            return Optional.empty();
        }
    }

    private void adopt(Tracked intent, Plan plan) {
        intent.plan = plan;
        reconciler.setTarget(intent, plan.entries());
        reconciler.enqueue(intent);
    }

    void storeChanged(Store.Change change) {
        storeChanges.add(change.key());
    }

    /** Events may be late, and some are echoes: what counts is what the store has now. */
    private void readStore() {
        List<String> keys = List.copyOf(storeChanges);
        storeChanges.clear();
        keys.forEach(key -> readStore(key, store.get(StoredIntent.MAP, key)));
    }

    private void readStore(String key, Optional<String> now) {
        Optional<Registry.Kind> kind = registry.kind(StoredIntent.kindOf(key));
        Tracked known = kind.map(k -> k.byId.get(key.substring(key.indexOf('/') + 1))).orElse(null);
        if (now.isEmpty()) {
            registry.dormant().remove(key);
            if (known != null && known.json != null) {
                drop(kind.orElseThrow(), known);
            }
        } else if (kind.isEmpty()) {
            sleep(key, now.get());
        } else if (known == null) {
            sleep(key, now.get());
            wake(kind.get());
        } else if (!now.get().equals(known.json)) {
            decode(kind.get(), key, now.get()).ifPresent(other -> exchange(kind.get(), known, other));
        }
    }

    private void exchange(Registry.Kind kind, Tracked known, Tracked other) {
        registry.remove(kind, known);
        if (known.number() != other.number()) {
            registry.free(known);
            registry.all().stream()
                    .filter(intent -> intent.number() == known.number())
                    .forEach(intent -> registry.take(intent.number(), intent));
            settleNumber(StoredIntent.parse(known.ref.toString(), other.json));
        }
        known.intent = other.intent;
        known.json = other.json;
        registry.put(kind, known);
        conflictsMayHaveEnded = true;
        adopt(known, plan(kind.kind, known, known.intent));
    }

    /**
     * Two controllers may give the same number at the same moment. One controller, the one that coordination names,
     * then gives the later in the order of references another number; all see that change as any other.
     */
    private void settleNumber(StoredIntent stored) {
        Tracked rival = registry.byNumber(stored.number()).orElse(null);
        if (rival == null || rival.removed || rival.ref.equals(stored.ref()) || !coordination.isMine(NUMBERING)) {
            return;
        }
        String loser = (rival.ref.compareTo(stored.ref()) > 0 ? rival.ref : stored.ref()).toString();
        store.get(StoredIntent.MAP, loser)
                .map(text -> StoredIntent.parse(loser, text))
                .filter(now -> now.number() == stored.number())
                .ifPresent(now -> {
                    int number = registry.nextNumber();
                    registry.reserve(number);
                    store.put(StoredIntent.MAP, Map.of(loser, StoredIntent.encode(now.ref(), number, now.intent().deepCopy())));
                    storeChanges.add(loser);
                });
    }

    // Compiling again

    void networkChanged(Network network) {
        latest = network;
    }

    void capabilitiesChanged(String node, Capabilities offered) {
        if (!offered.equals(capabilities.put(node, offered))) {
            newCapabilities.add(node);
        }
    }

    /** Reacts to all that changed since the last time. */
    void catchUp() {
        while (!storeChanges.isEmpty()) {
            readStore();
        }
        newCapabilities.addAll(reconciler.refusals().takeChanged());
        if (latest != context.network() || !newCapabilities.isEmpty()) {
            NetworkChange change = NetworkChange.between(context.network(), latest);
            Set<String> nodes = Set.copyOf(newCapabilities);
            newCapabilities.clear();
            context = new CompileContext(latest, capabilities, reconciler.refusals().all());
            recompile(change, nodes);
        }
        if (conflictsMayHaveEnded) {
            conflictsMayHaveEnded = false;
            recompile(registry.all().stream().filter(intent -> Compilation.isConflict(intent.plan)).toList());
        }
    }

    private void recompile(NetworkChange change, Set<String> nodes) {
        List<Tracked> touched = new ArrayList<>();
        for (Tracked intent : registry.all()) {
            boolean derived = intent.kind instanceof DerivedKind;
            boolean capable = !nodes.isEmpty() && touches(nodes, intent.plan);
            if (capable || !derived && change.touches(intent.plan)) {
                touched.add(intent);
            }
        }
        recompile(touched);
        if (change != NetworkChange.NONE) {
            List.copyOf(registry.kinds()).forEach(kind -> derive(kind, true));
        }
    }

    private static boolean touches(Set<String> nodes, Plan plan) {
        return !plan.feasible()
                || plan.dependsOn().stream().anyMatch(nodes::contains)
                || plan.entries().stream().anyMatch(placed -> nodes.contains(placed.node()));
    }

    /** First all compile, then all that changed give up their rows, then they take new ones: rows may go round. */
    private void recompile(List<Tracked> intents) {
        Map<Tracked, Plan> changed = new LinkedHashMap<>();
        for (Tracked intent : intents) {
            Plan plan = compilation.compile(intent.kind, intent.intent, context);
            if (plan.feasible() && intent.plan.feasible() && plan.entries().equals(intent.plan.entries())) {
                intent.plan = plan;
                views.refresh(intent);
            } else {
                changed.put(intent, plan);
            }
        }
        for (Tracked intent : changed.keySet()) {
            conflictsMayHaveEnded |= !intent.target.isEmpty();
            intent.target.forEach(cell -> cell.row().suspendTarget(intent));
        }
        changed.forEach((intent, plan) -> exchangePlan(intent, compilation.withoutConflicts(intent.kind, intent, intent.intent.intent(), plan)));
        reconciler.retry(Set.copyOf(intents)::contains);
    }

    private void exchangePlan(Tracked intent, Plan plan) {
        if (plan.feasible() || intent.plan.feasible()) {
            adopt(intent, plan);
        } else {
            intent.plan = plan;
            views.refresh(intent);
        }
    }

    private void derive(Registry.Kind kind, boolean again) {
        if (!(kind.kind instanceof DerivedKind<Object> derivedKind)) {
            return;
        }
        SortedMap<String, Object> derived = derivedKind.derive(context.network());
        for (Tracked gone : List.copyOf(kind.byId.values())) {
            if (!derived.containsKey(gone.ref.id())) {
                drop(kind, gone);
            }
        }
        List<Tracked> other = new ArrayList<>();
        new TreeMap<>(derived).forEach((id, intent) -> {
            Tracked known = kind.byId.get(id);
            if (known == null) {
                Tracked created = new Tracked(kind.kind, new Numbered<>(id, 0, intent), null);
                registry.put(kind, created);
                adopt(created, plan(kind.kind, created, created.intent));
            } else if (!known.intent.intent().equals(intent)) {
                known.intent = new Numbered<>(id, 0, intent);
                other.add(known);
            }
        });
        recompile(other);
    }

    private Plan plan(IntentKind<Object> kind, Tracked self, Numbered<Object> intent) {
        return compilation.withoutConflicts(kind, self, intent.intent(), compilation.compile(kind, intent, context));
    }
}
