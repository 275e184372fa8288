// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.DerivedKind;
import org.sextant.core.intent.Exporter;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.ReferencedIntent;
import org.sextant.core.intent.WhatIfOutcome;
import org.sextant.core.intent.WhatIfResult;
import org.sextant.core.intent.install.TrackedIntent;
import org.sextant.core.loop.Turn;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;

/**
 * Compiles intents for a network that is not there, and keeps nothing of it. It yields to other work, whose changes may
 * be in its answer or not.
 *
 * <p>Two things stay as they are now, and are no part of the answer: the capacity reserved on links, and which of two
 * intents owns a row that both claim.
 */
final class WhatIfAnalysis {
    /** The most compilations of one intent, as intents may follow each other. */
    private static final int MOST_OFTEN = 8;

    private final IntentRegistry registry;
    private final Compiler compiler;
    private final OwnerReferences references;
    private final Exports exports;
    private final CompileContext context;
    private final Set<String> links;
    private final Deque<TrackedIntent> open = new ArrayDeque<>();
    private final Map<TrackedIntent, Integer> times = new HashMap<>();
    private final Map<IntentRef, Plan> plans = new HashMap<>();
    private final Map<String, TreeMap<IntentRef, Optional<Object>>> offered = new HashMap<>();

    WhatIfAnalysis(
            IntentRegistry registry, Compiler compiler, OwnerReferences references, Exports exports, Network network) {
        this.registry = registry;
        this.compiler = compiler;
        this.references = references;
        this.exports = exports;
        this.context = compiler.context().in(network);
        this.links = Stream.concat(compiler.context().network().links().stream(), network.links().stream())
                .map(Link::id)
                .collect(Collectors.toUnmodifiableSet());
        NetworkChange change = NetworkChange.between(compiler.context().network(), network);
        PathsOverLinks over = PathsOverLinks.of(context.underlay(), change.came());
        registry.all().stream()
                .filter(WhatIfAnalysis::stands)
                .filter(intent -> change.touches(intent.compiled(), over))
                .sorted(TrackedIntent.URGENT_FIRST)
                .forEach(open::add);
    }

    /** True for a submitted intent that no older one stands against. */
    private static boolean stands(TrackedIntent intent) {
        return !(intent.kind() instanceof DerivedKind)
                && !intent.isRemoved()
                && intent.desired().isDecided()
                && intent.plan().feasible() == intent.compiled().feasible();
    }

    /** Goes on for a while; false once all intents are processed. */
    boolean goOn(Turn turn) {
        for (TrackedIntent next = open.poll(); next != null; next = open.poll()) {
            look(next);
            if (turn.isOver()) {
                return true;
            }
        }
        return false;
    }

    private void look(TrackedIntent intent) {
        if (!stands(intent) || times.merge(intent, 1, Integer::sum) > MOST_OFTEN) {
            return;
        }
        Plan plan = compiler.imagine(intent, context, this::referred, this::under);
        plans.put(intent.ref(), plan);
        Set<TrackedIntent> referers = references.to(intent.ref());
        if (!referers.isEmpty()
                && !references
                        .look(intent.ref())
                        .equals(Optional.of(ReferencedIntent.by(intent.kind(), intent.numbered(), plan)))) {
            referers.forEach(open::add);
        }
        exports.followers(offer(intent, plan)).forEach(open::add);
    }

    /** Names under which the intent would offer something else than it does. */
    private Set<String> offer(TrackedIntent intent, Plan plan) {
        Map<String, Object> now = exports.of(intent, intent.compiled());
        Map<String, Object> then = exports.of(intent, plan);
        Set<String> names = new HashSet<>(now.keySet());
        names.addAll(then.keySet());
        names.removeIf(name -> Optional.ofNullable(now.get(name)).equals(Optional.ofNullable(then.get(name))));
        names.forEach(name -> offered.computeIfAbsent(name, none -> new TreeMap<>())
                .put(intent.ref(), Optional.ofNullable(then.get(name))));
        return names;
    }

    private Optional<ReferencedIntent> referred(IntentRef ref) {
        Plan plan = plans.get(ref);
        return plan == null
                ? references.look(ref)
                : registry.find(ref).map(intent -> ReferencedIntent.by(intent.kind(), intent.numbered(), plan));
    }

    private List<Exporter> under(String name) {
        TreeMap<IntentRef, Optional<Object>> all = new TreeMap<>();
        exports.under(name).forEach(followed -> all.put(followed.ref(), Optional.of(followed.offer())));
        all.putAll(offered.getOrDefault(name, new TreeMap<>()));
        return all.entrySet().stream()
                .flatMap(one -> one.getValue().stream().map(offer -> new Exporter(one.getKey(), offer)))
                .toList();
    }

    WhatIfResult answer() {
        List<WhatIfOutcome> changed = plans.entrySet().stream()
                .flatMap(one -> registry.find(one.getKey()).stream()
                        .flatMap(intent -> Stream.ofNullable(foreseen(intent, one.getValue()))))
                .sorted(Comparator.comparing(WhatIfOutcome::fate).thenComparing(WhatIfOutcome::intent))
                .toList();
        long all = registry.all().stream().filter(WhatIfAnalysis::stands).count();
        return new WhatIfResult((int) all - changed.size(), changed);
    }

    /** Null if the intent would not change. */
    private @Nullable WhatIfOutcome foreseen(TrackedIntent intent, Plan then) {
        Plan now = intent.compiled();
        SortedSet<String> before = linksOf(now);
        SortedSet<String> after = linksOf(then);
        int entries = entries(now, then);
        if (now.feasible() == then.feasible() && before.equals(after) && entries == 0) {
            return null;
        }
        if (!now.feasible() && !then.feasible()) {
            return null;
        }
        List<String> warnings = then.warnings().stream()
                .filter(warning -> !now.warnings().contains(warning))
                .toList();
        return new WhatIfOutcome(intent.ref(), fate(now, then), before, after, entries, then.problems(), warnings);
    }

    private static WhatIfOutcome.Fate fate(Plan now, Plan then) {
        if (!then.feasible()) {
            return WhatIfOutcome.Fate.BROKEN;
        }
        if (!now.feasible()) {
            return WhatIfOutcome.Fate.MENDED;
        }
        boolean pathless = then.dependsOn().equals(Dependence.EVERYTHING)
                && !now.dependsOn().equals(Dependence.EVERYTHING);
        return pathless ? WhatIfOutcome.Fate.FALLS_BACK : WhatIfOutcome.Fate.MOVED;
    }

    private SortedSet<String> linksOf(Plan plan) {
        return plan.dependsOn().names().stream().filter(links::contains).collect(Collectors.toCollection(TreeSet::new));
    }

    private static int entries(Plan now, Plan then) {
        Set<Plan.Placed> gone = new HashSet<>(now.entries());
        Set<Plan.Placed> come = new HashSet<>(then.entries());
        come.removeAll(gone);
        gone.removeAll(new HashSet<>(then.entries()));
        Set<String> rows = new HashSet<>();
        Stream.of(gone, come)
                .flatMap(Set::stream)
                .forEach(placed -> rows.add(placed.node() + " " + placed.entry().key()));
        return rows.size();
    }
}
