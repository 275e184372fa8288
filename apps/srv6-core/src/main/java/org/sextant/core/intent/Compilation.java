// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.net.Network;
import org.sextant.core.table.Entry;

/**
 * Turns intents into plans that no other's contradicts, and hands what they may have to the {@link Reconciler}. Touched by
 * the engine's thread only.
 */
final class Compilation {
    private final Map<String, NodeTable> nodes;
    private final NodeWatch watch;
    private final Arbiter arbiter;
    private final Reconciler reconciler;
    private final Views views;
    private final Events events;
    private CompileContext context = new CompileContext(Network.EMPTY, Map.of());

    Compilation(
            Map<String, NodeTable> nodes,
            NodeWatch watch,
            Arbiter arbiter,
            Reconciler reconciler,
            Views views,
            Events events) {
        this.nodes = nodes;
        this.watch = watch;
        this.arbiter = arbiter;
        this.reconciler = reconciler;
        this.views = views;
        this.events = events;
    }

    CompileContext context() {
        return context;
    }

    void context(CompileContext now) {
        if (!now.network().hosts().equals(context.network().hosts())) {
            arbiter.hosts(now.underlay().hosts());
        }
        context = now;
    }

    /** Never throws: a compiler's defect becomes a problem of the intent, and an event. */
    Plan compile(IntentKind<Object> kind, Numbered<Object> intent) {
        try {
            Plan plan = kind.compile(intent, context);
            if (kind.atomic()) {
                requireOneEntryPerRow(plan);
            }
            return plan;
        } catch (ProblemException e) {
            return refused(e.problems());
        } catch (RuntimeException e) {
            events.emit(new EngineEvent.Fault("compile " + kind.name() + "/" + intent.id(), e));
            Problem problem = new Problem(
                    Problem.Code.UNFEASIBLE,
                    "",
                    "the compiler of kind " + kind.name() + " failed: " + e,
                    "this is a defect; report it with the intent and the network");
            return refused(List.of(problem));
        }
    }

    /** Of two entries for one row one would never be installed, and nobody would miss it. */
    private static void requireOneEntryPerRow(Plan plan) {
        Map<String, Map<Entry.Key, Entry>> byNode = new HashMap<>();
        for (Plan.Placed placed : plan.entries()) {
            Entry other = byNode.computeIfAbsent(placed.node(), node -> new HashMap<>())
                    .put(placed.entry().key(), placed.entry());
            if (other != null && !other.equals(placed.entry())) {
                throw new IllegalStateException(
                        "two different entries for " + placed.entry().key() + " on node " + placed.node());
            }
        }
    }

    /** The plan of an intent that is not accepted yet; of what others own or what would go round, a refusal. */
    Plan proposed(Tracked intent, Numbered<Object> numbered) {
        Plan plan = compile(intent.kind, numbered);
        List<Problem> against = plan.feasible() ? arbiter.against(intent, numbered.intent(), plan, nodes) : List.of();
        return against.isEmpty() ? plan : plan.refused(against);
    }

    /** Gives an intent a plan that {@link #proposed} has found nothing against. */
    void accept(Tracked intent, Plan plan) {
        arbiter.grant(intent, plan, cells(plan));
        intent.plan = plan;
        reconciler.setTarget(intent, intent.wish);
    }

    /** Says what an intent wants; {@link #settle} decides what it gets. */
    void want(Tracked intent, Plan plan) {
        arbiter.wish(intent, plan, cells(plan));
    }

    /** The intent wants nothing any more. */
    void forget(Tracked intent) {
        arbiter.forget(intent);
        reconciler.setTarget(intent, List.of());
    }

    /** The intent is about to become another: nothing is decided about it as it is. */
    void unwish(Tracked intent) {
        arbiter.forget(intent);
    }

    /** Nobody wants anything of this intent, whose rows stay on the nodes as they are. */
    void abandon(Tracked intent) {
        arbiter.forget(intent);
        reconciler.abandon(intent);
    }

    /** Decides about what was wanted and given up since, and lets the nodes follow. */
    void settle() {
        arbiter.decide().forEach(intent -> follow(intent, arbiter.verdict(intent)));
    }

    private void follow(Tracked intent, Plan plan) {
        boolean known = intent.plan != null;
        if (known && (plan == intent.plan || !plan.feasible() && plan.problems().equals(intent.plan.problems()))) {
            return;
        }
        boolean something = plan.feasible() || known && intent.plan.feasible();
        intent.plan = plan;
        if (something || !known) {
            reconciler.setTarget(intent, plan.feasible() ? intent.wish : List.of());
            reconciler.enqueue(intent);
        } else {
            views.refresh(intent);
        }
    }

    /** Compiles intents again and settles what came of it. */
    void again(List<Tracked> intents) {
        for (Tracked intent : intents) {
            Plan plan = compile(intent.kind, intent.intent);
            if (sameEffect(plan, intent.compiled)) {
                boolean shown = intent.plan == intent.compiled;
                intent.compiled = plan;
                intent.plan = shown ? plan : intent.plan;
                views.refresh(intent);
            } else {
                want(intent, plan);
            }
        }
        settle();
        reconciler.retry(Set.copyOf(intents)::contains);
    }

    private static boolean sameEffect(Plan one, Plan other) {
        return one.feasible()
                && other.feasible()
                && one.entries().equals(other.entries())
                && one.passages().equals(other.passages());
    }

    private List<Tracked.Cell> cells(Plan plan) {
        Map<Row, Entry> wanted = new LinkedHashMap<>(2 * plan.entries().size());
        for (Plan.Placed placed : plan.entries()) {
            wanted.put(watch.node(placed.node()).row(placed.entry().key()), placed.entry());
        }
        List<Tracked.Cell> cells = new ArrayList<>(wanted.size());
        wanted.forEach((row, entry) -> cells.add(new Tracked.Cell(row, entry)));
        return cells;
    }

    /** A plan that installs nothing. */
    static Plan refused(List<Problem> problems) {
        return new Plan(List.of(), Explained.NOTHING, problems, List.of(), Dependence.NOTHING);
    }
}
