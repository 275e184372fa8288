// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sextant.core.Problem;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.intent.Exporter;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.ReferencedIntent;
import org.sextant.core.intent.allocate.AllocationSession;
import org.sextant.core.intent.allocate.CapacityTracker;
import org.sextant.core.intent.allocate.IdPools;
import org.sextant.core.intent.allocate.ReservationTable;
import org.sextant.core.intent.install.Installation;
import org.sextant.core.intent.install.IntentIndex;
import org.sextant.core.intent.install.Reconciler;
import org.sextant.core.intent.install.Row;
import org.sextant.core.intent.install.TrackedIntent;
import org.sextant.core.intent.status.Views;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.net.Network;
import org.sextant.core.table.Entry;

/** Compiles intents into plans free of conflicts, and passes the admitted ones to the {@link Reconciler}. */
final class Compiler {
    private static final Problem WAITS = new Problem(
            Problem.Code.CONFLICT,
            "",
            "it needs a number that it does not have, or that an older one has",
            "wait: the controller that gives numbers gives it one as soon as the store answers");

    /** The longest chain of intents that refer to each other. */
    private static final int DEEPEST = 8;

    /** Most intents that a problem names. */
    private static final int NAMED = 5;

    private final EngineRuntime runtime;
    private final Installation installation;
    private final Reconciler reconciler;
    private final Views views;
    private final ConflictResolver conflicts;
    private final IdPools pools;
    private final CapacityTracker capacity;
    private final NumberReassignment reassignment;
    private final OwnerReferences references;
    private final CompilerGuard guard;
    private final Exports exports = new Exports();

    /** Called with each intent that is deleted, or whose kind is unregistered. */
    private final List<Consumer<TrackedIntent>> departures;

    /** Counts changes of the inputs of compilers. */
    private long revision;

    /** Written by the engine's thread; immutable, and read by any. */
    private volatile CompileContext context = new CompileContext(Network.EMPTY, Map.of());

    /** The context for plans that avoid overloaded nodes. */
    private CompileContext avoiding = context;

    private final OverloadAvoidance overloads = new OverloadAvoidance();

    private final Precompiler precompiler = new Precompiler(Runtime.getRuntime().availableProcessors() - 1);

    Compiler(DesiredRooms rooms, NumberReassignment reassignment, IntentIndex intents, ConflictResolver conflicts) {
        this.runtime = rooms.runtime();
        this.installation = rooms.installation();
        this.reconciler = installation.reconciler();
        this.views = rooms.views();
        this.conflicts = conflicts;
        this.pools = rooms.allocations().pools();
        this.capacity = rooms.allocations().capacity();
        this.reassignment = reassignment;
        this.references = new OwnerReferences(intents);
        this.guard = new CompilerGuard(runtime, references);
        this.departures = List.of(
                intent -> references.changed(intent.ref()),
                capacity::remove,
                exports::gone,
                reassignment::forget,
                conflicts::forget,
                overloads::forget,
                pools::leaves);
    }

    /** Any thread may call it. */
    CompileContext context() {
        return context;
    }

    void context(CompileContext now) {
        if (!now.network().hosts().equals(context.network().hosts())) {
            conflicts.hosts(now.underlay().hosts());
        }
        if (now.network() != context.network()) {
            installation.network(now.network());
        }
        context = now;
        avoiding = now.avoidingOverloaded();
        revision++;
    }

    long revision() {
        return revision;
    }

    /** Compiles the present intent, regardless of younger ones. */
    CompileResult compile(TrackedIntent intent) {
        return compiled(intent, base -> compile(intent, base));
    }

    private CompileResult compiled(TrackedIntent intent, Function<CompileContext, CompileResult> compilation) {
        return OverloadAvoidance.compile(
                intent, context, () -> avoiding, compilation, CompileResult::plan, () -> overloads.add(intent));
    }

    private CompileResult compile(TrackedIntent intent, CompileContext base) {
        AllocationSession session = new AllocationSession(pools, intent, true);
        CapacityTracker.Inquiry inquiry = capacity.inquiry(context);
        CompileContext own = answering(base, intent, session, references::look).accounting(inquiry::before);
        Precompiler.Inputs inputs = inputs(intent, intent.numbered(), false, base);
        Plan plan = guard.guarded(
                intent.kind(), intent.numbered(), () -> precompiler.take(inputs).orElseGet(() -> inputs.compile(own)));
        return new CompileResult(plan, intent.numbered(), session, inquiry);
    }

    private static Precompiler.Inputs inputs(
            TrackedIntent intent, NumberedIntent<Object> numbered, boolean admission, CompileContext base) {
        Optional<Plan> before = intent.desired().isCompiled() ? Optional.of(intent.compiled()) : Optional.empty();
        return new Precompiler.Inputs(intent.kind(), numbered, admission, before, base);
    }

    /** Begins to compile intents that {@link #again} follows for, in this order. */
    void prepare(Collection<TrackedIntent> intents) {
        precompiler.prepare(intents.stream()
                .limit(Precompiler.MOST)
                .filter(intent -> !intent.isRemoved())
                .map(intent -> inputs(intent, intent.numbered(), false, context))
                .toList());
    }

    /** Begins to compile intents that are created next, in this order. */
    void prepareCreated(IntentKind<Object> kind, List<NumberedIntent<Object>> intents) {
        precompiler.prepare(intents.stream()
                .map(intent -> new Precompiler.Inputs(kind, intent, true, Optional.empty(), context))
                .toList());
    }

    void close() {
        precompiler.close();
    }

    /** Intents that may avoid a node whose overload has ended; each is returned once. */
    Set<TrackedIntent> takeAvoiding() {
        return overloads.take();
    }

    private CompileContext answering(
            CompileContext base,
            TrackedIntent intent,
            AllocationSession session,
            Function<IntentRef, Optional<ReferencedIntent>> referred) {
        CompileContext own = base.answering(session, referred, exports::under);
        return intent.desired().isCompiled() ? own.after(intent.compiled()) : own;
    }

    /** Compiles an intent that is not accepted yet; conflicts and forwarding loops become problems of its plan. */
    CompileResult proposed(TrackedIntent intent, NumberedIntent<Object> numbered) {
        CompileResult result = compiled(intent, base -> proposed(intent, numbered, base));
        return result.with(against(intent, numbered, result.plan()));
    }

    private CompileResult proposed(TrackedIntent intent, NumberedIntent<Object> numbered, CompileContext base) {
        AllocationSession session = new AllocationSession(pools, intent, false);
        CapacityTracker.Inquiry inquiry = capacity.inquiry(context);
        CompileContext own =
                answering(base, intent, session, references::latest).accounting(inquiry::before);
        Precompiler.Inputs inputs = inputs(intent, numbered, true, base);
        Plan plan = guard.guarded(
                intent.kind(), numbered, () -> precompiler.take(inputs).orElseGet(() -> inputs.compile(own)));
        return new CompileResult(plan, numbered, session, inquiry);
    }

    /**
     * As {@link #proposed}, ready to be compiled on another thread; {@link #against} returns the problems of its plan.
     *
     * @param existing the intent that it would replace; null if there is none
     */
    DryRunCompilation compilation(
            TrackedIntent intent, @Nullable TrackedIntent existing, NumberedIntent<Object> numbered, EventLoop thread) {
        guard.requireNoCircle(intent.kind(), numbered);
        Map<IntentRef, Optional<ReferencedIntent>> referred = new HashMap<>();
        intent.kind().refersTo(numbered.intent()).forEach(ref -> referred.put(ref, references.latest(ref)));
        Map<String, List<Exporter>> followed = new HashMap<>();
        intent.kind().follows(numbered.intent()).forEach(name -> followed.put(name, exports.under(name)));
        AllocationSession session = new AllocationSession(pools, intent, false);
        CompileContext now = context;
        ReservationTable ledger = capacity.shown();
        CompileContext seen = now.answering(
                        new DryRunCompilation.LoopClaims(thread, session),
                        ref -> referred.getOrDefault(ref, Optional.empty()),
                        name -> followed.getOrDefault(name, List.of()))
                .accounting(seat -> ledger.before(seat, now::capacity));
        CompileContext own = intent.desired().isCompiled() ? seen.after(intent.compiled()) : seen;
        Function<CompileContext, Plan> admission = base ->
                guard.contained(intent.kind(), numbered, () -> intent.kind().admit(numbered, base));
        return new DryRunCompilation(
                intent,
                existing,
                numbered,
                session,
                capacity.inquiry(now),
                revision,
                () -> OverloadAvoidance.compile(
                        intent, own, own::avoidingOverloaded, admission, Function.identity(), () -> {}));
    }

    /** The plan that was compiled, or why it is refused all the same. */
    Plan against(TrackedIntent intent, NumberedIntent<Object> numbered, Plan plan) {
        List<Problem> against =
                plan.feasible() ? conflicts.against(intent, numbered.intent(), plan, installation.nodes()) : List.of();
        return against.isEmpty() ? plan : plan.refused(against);
    }

    /** Compiles an intent for another network; no state changes. */
    Plan imagine(
            TrackedIntent intent,
            CompileContext elsewhere,
            Function<IntentRef, Optional<ReferencedIntent>> referred,
            Function<String, List<Exporter>> offered) {
        CompileContext own = elsewhere
                .answering(new AllocationSession(pools, intent, true), referred, offered)
                .accounting(capacity.inquiry(elsewhere)::before)
                .after(intent.compiled());
        Function<CompileContext, Plan> compilation = base -> guard.guarded(
                intent.kind(), intent.numbered(), () -> intent.kind().compile(intent.numbered(), base));
        return OverloadAvoidance.compile(
                intent, own, own::avoidingOverloaded, compilation, Function.identity(), () -> {});
    }

    /** Compiles the intents for another network. */
    WhatIfAnalysis foreseeing(IntentRegistry registry, Network network) {
        return new WhatIfAnalysis(registry, this, references, exports, network);
    }

    /** The exports under a name; any thread may call it. */
    List<Exporter> offered(String name) {
        return exports.under(name);
    }

    /** True if any intent refers to this one. */
    boolean referredTo(TrackedIntent intent) {
        return !references.to(intent.ref()).isEmpty();
    }

    /**
     * Problems of the intents that refer to this one and compile with its present state, but not with the proposed one.
     *
     * @param together the new states of intents that are changed with it
     * @param changing intents that are compiled after it, as something else than they are
     */
    List<Problem> leftBehind(
            TrackedIntent intent,
            CompileResult proposed,
            Map<IntentRef, ReferencedIntent> together,
            Set<TrackedIntent> changing) {
        ReferencedIntent next = ReferencedIntent.by(intent.kind(), proposed.granted(), proposed.plan());
        if (together.isEmpty()
                && references.latest(intent.ref()).filter(next::equals).isPresent()) {
            return List.of();
        }
        Function<IntentRef, Optional<ReferencedIntent>> seen = ref -> ref.equals(intent.ref())
                ? Optional.of(next)
                : Optional.ofNullable(together.get(ref)).or(() -> references.latest(ref));
        Map<TrackedIntent, Plan> failing = new TreeMap<>();
        for (TrackedIntent one : references.to(intent.ref())) {
            if (!changing.contains(one)
                    && one.desired().isDecided()
                    && one.plan().feasible()) {
                CompileContext own = answering(context, one, new AllocationSession(pools, one, true), seen)
                        .accounting(capacity.inquiry(context)::before);
                Plan plan = guard.guarded(
                        one.kind(), one.numbered(), () -> one.kind().compile(one.numbered(), own));
                if (!plan.feasible()) {
                    failing.put(one, plan);
                }
            }
        }
        return failing.isEmpty() ? List.of() : List.of(leftBehind(intent, failing));
    }

    private static Problem leftBehind(TrackedIntent intent, Map<TrackedIntent, Plan> failing) {
        String names = failing.keySet().stream()
                .limit(NAMED)
                .map(TrackedIntent::called)
                .collect(Collectors.joining(", "));
        int more = failing.size() - NAMED;
        Problem first = failing.values().iterator().next().problems().get(0);
        return new Problem(
                Problem.Code.UNFEASIBLE,
                "",
                intent.called() + " would break references of " + names
                        + (more > 0 ? " and " + more + " more" : "") + "; the first of them, at "
                        + (first.field().isEmpty() ? "/" : first.field()) + ": " + first.message(),
                first.remedy() + "; or change what refers to it first");
    }

    /** Gives an intent a plan that {@link #proposed} has found nothing against, and its numbers. */
    void accept(TrackedIntent intent, CompileResult compiled) {
        Plan plan = compiled.plan();
        reassignment.forget(intent);
        compiled.take(pools, intent);
        conflicts.grant(intent, plan, cells(plan));
        capacity.answered(intent, compiled.inquiry());
        capacity.update(intent);
        show(intent, plan);
        reconciler.admit(intent, conflicts.cells(intent));
    }

    /** Sets the intent's plan. */
    private void show(TrackedIntent intent, Plan plan) {
        revision++;
        intent.desired(intent.desired().withPlan(plan));
        references.changed(intent.ref());
        exports.shown(intent, plan);
    }

    /** Sets the desired plan of a new or changed intent; {@link #settle} decides which entries are admitted. */
    void want(TrackedIntent intent) {
        want(intent, recompiled(intent));
    }

    /** Compiles an intent with the numbers that it has; it waits while it needs others. */
    private Plan recompiled(TrackedIntent intent) {
        CompileResult compiled = compile(intent);
        pools.has(intent, intent.numbered().grants(), compiled.session().claims());
        reassignment.compiled(intent, compiled);
        capacity.answered(intent, compiled.inquiry());
        return compiled.waits() ? compiled.plan().refused(List.of(WAITS)) : compiled.plan();
    }

    /** As {@link #want(TrackedIntent)}, with a known plan. */
    void want(TrackedIntent intent, Plan plan) {
        revision++;
        conflicts.wish(intent, plan, cells(plan));
        capacity.update(intent);
    }

    /** When called, restores the present state of an intent. */
    Runnable back(TrackedIntent intent) {
        Plan plan = intent.compiled();
        Map<Long, Set<String>> answered = capacity.answered(intent);
        Runnable numbers = reassignment.back(intent);
        return () -> {
            numbers.run();
            want(intent, plan);
            capacity.restore(intent, answered);
        };
    }

    /** The intent has no desired entries any more. */
    void forget(TrackedIntent intent) {
        revision++;
        departures.forEach(departure -> departure.accept(intent));
        reconciler.admit(intent, List.of());
    }

    /** The intent is about to be replaced: its present plan takes no part in decisions. */
    void unwish(TrackedIntent intent) {
        reassignment.forget(intent);
        conflicts.forget(intent);
    }

    /** The kind of this intent is unregistered; its entries stay on the nodes as they are. */
    void abandon(TrackedIntent intent) {
        revision++;
        departures.forEach(departure -> departure.accept(intent));
        reconciler.abandon(intent);
    }

    /**
     * Decides about the plans that changed, and lets the nodes follow; then about the intents that refer to these, and
     * those that compete for the same capacity.
     */
    void settle() {
        decide();
        for (int depth = 0; depth < DEEPEST + capacity.size(); depth++) {
            boolean others = capacity.settle(context::capacity, this::renew);
            Set<TrackedIntent> concerned = references.concerned();
            concerned.addAll(exports.concerned());
            if (concerned.isEmpty() && !others) {
                return;
            }
            concerned.forEach(this::renew);
            decide();
        }
        runtime.emit(new EngineEvent.Fault(
                "references", new IllegalStateException("intents refer to each other in a circle")));
    }

    private void decide() {
        do {
            reassignment.affected().forEach(this::want);
        } while (reassignment.grant(this));
        conflicts.decide().stream()
                .sorted(TrackedIntent.URGENT_FIRST)
                .forEach(intent -> follow(intent, conflicts.verdict(intent)));
    }

    private void follow(TrackedIntent intent, Plan plan) {
        boolean known = intent.desired().isDecided();
        if (known
                && (plan == intent.plan()
                        || !plan.feasible()
                                && plan.problems().equals(intent.plan().problems()))) {
            return;
        }
        boolean something = plan.feasible() || known && intent.plan().feasible();
        show(intent, plan);
        if (something || !known) {
            reconciler.admit(intent, plan.feasible() ? conflicts.cells(intent) : List.of());
            reconciler.enqueue(intent);
        } else {
            views.refresh(intent);
        }
    }

    /**
     * Compiles an intent again, and retries it if it rests without having reached its desired state; {@link #settle}
     * decides about it.
     */
    void again(TrackedIntent intent) {
        renew(intent);
        reconciler.retry(intent);
    }

    private void renew(TrackedIntent intent) {
        Plan plan = recompiled(intent);
        if (plan.hasEffectOf(intent.compiled())) {
            boolean shown = intent.plan() == intent.compiled();
            intent.desired(intent.desired().withCompiled(plan));
            capacity.update(intent);
            show(intent, shown ? plan : intent.plan());
            views.refresh(intent);
        } else {
            want(intent, plan);
        }
    }

    private List<TrackedIntent.Cell> cells(Plan plan) {
        Map<Row, Entry> wanted = new LinkedHashMap<>(2 * plan.entries().size());
        for (Plan.Placed placed : plan.entries()) {
            wanted.put(
                    installation
                            .monitor()
                            .node(placed.node())
                            .row(placed.entry().key()),
                    placed.entry());
        }
        List<TrackedIntent.Cell> cells = new ArrayList<>(wanted.size());
        wanted.forEach((row, entry) -> cells.add(new TrackedIntent.Cell(row, entry)));
        return cells;
    }
}
