// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.DesiredIntent;
import org.sextant.core.intent.Digest;
import org.sextant.core.intent.DryRun;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Intents;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Precondition;
import org.sextant.core.intent.ReferencedIntent;
import org.sextant.core.intent.StoredChange;
import org.sextant.core.intent.Submission;
import org.sextant.core.intent.allocate.IdPools;
import org.sextant.core.intent.desired.AdmissionRequest.Extent;
import org.sextant.core.intent.desired.AdmissionRequest.Item;
import org.sextant.core.intent.install.Reconciler;
import org.sextant.core.intent.install.TrackedIntent;
import org.sextant.core.intent.orphan.OrphanedEntries;
import org.sextant.core.intent.status.Views;
import org.sextant.core.loop.Commits;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.loop.Progress;
import org.sextant.core.loop.Turn;
import org.sextant.core.port.Store;

/**
 * Takes submitted intents in.
 *
 * <p>The store is written before anything else happens, in one step for a bulk with all that belongs to it; if that
 * fails it is read again, and its content is authoritative. An intent that compiled when it was accepted and does not
 * any more (no path is left, a node lost a table) keeps nothing installed: its traffic falls back to the underlay, its
 * state is FAILED with the compiler's problems, and it is restored automatically when it compiles again.
 */
public final class Admission {

    /** How long a request waits for other controllers: if one has failed, another takes over in seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /** The most intents that are read from the store before a turn; far more than a turn has time for. */
    private static final int MOST_IN_A_TURN = 1000;

    private final IntentRegistry registry;
    private final Compiler compiler;
    private final IdPools pools;
    private final Reconciler reconciler;
    private final OrphanedEntries orphans;
    private final Views views;
    private final Commits commits;
    private final EventLoop thread;

    Admission(DesiredRooms rooms, IntentRegistry registry, Compiler compiler) {
        this.registry = registry;
        this.compiler = compiler;
        this.pools = rooms.allocations().pools();
        this.reconciler = rooms.installation().reconciler();
        this.orphans = rooms.orphans();
        this.views = rooms.views();
        this.commits = rooms.runtime().commits();
        this.thread = rooms.runtime().loop();
    }

    /** The result for one intent, before the store has it. */
    private record Proposal(Optional<TrackedIntent> intent, boolean changed, List<Problem> problems) {
        boolean rejected() {
            return !problems.isEmpty();
        }
    }

    /**
     * @param only holds of one intent only
     * @param changes collects the changes that the store has accepted
     */
    <I> Progress<Submission<I>> submit(
            IntentRegistry.Kind kind, List<?> intents, Precondition only, List<StoredChange> changes) {
        requireOne(intents, only);
        return admit(request(items(kind, intents), Extent.EACH, only, changes));
    }

    /**
     * Admits the first intents of a {@linkplain #isDivisible divisible} list, as many as there is time for in a turn.
     *
     * @return with an outcome for each that it has decided about; at least for one
     */
    <I> Progress<Submission<I>> submitFirst(IntentRegistry.Kind kind, List<?> intents, List<StoredChange> changes) {
        List<Item> items = items(kind, intents.subList(0, Math.min(MOST_IN_A_TURN, intents.size())));
        return admit(request(items, Extent.FIRST, Precondition.NONE, changes));
    }

    private static List<Item> items(IntentRegistry.Kind kind, List<?> intents) {
        return intents.stream().map(intent -> new Item(kind, intent)).toList();
    }

    /**
     * True unless a list changes several intents that others refer to: each of these is checked against the new state
     * of the others.
     */
    boolean isDivisible(IntentRegistry.Kind kind, List<?> intents) {
        if (!registry.isReferredTo(kind)) {
            return true;
        }
        Stream<TrackedIntent> existing = intents.stream().map(kind::same).filter(Objects::nonNull);
        return existing.filter(compiler::referredTo).limit(2).count() < 2;
    }

    /** Admits all or none. */
    Progress<Submission<Object>> submitTogether(List<Item> items, List<StoredChange> changes) {
        return admit(request(items, Extent.WHOLE, Precondition.NONE, changes));
    }

    private AdmissionRequest request(List<Item> items, Extent extent, Precondition only, List<StoredChange> changes) {
        items.stream().map(Item::kind).distinct().forEach(IntentRegistry.Kind::requireSubmitted);
        commits.requireCertain();
        return new AdmissionRequest(items, extent, only, stored(items), new HashSet<>(), changes);
    }

    private <I> Progress<Submission<I>> admit(AdmissionRequest request) {
        Bulk bulk = request.bulk(request.whole() ? Map.of() : together(request.items()), pools.back());
        List<Proposal> proposed = propose(request, bulk);
        if (request.whole() && proposed.stream().anyMatch(Proposal::rejected)) {
            undo(bulk);
            return new Progress.Done<>(submission(request, request.bulk(Map.of(), () -> {}), none(proposed)));
        }
        if (!bulk.together.isEmpty() && proposed.stream().anyMatch(Proposal::rejected)) {
            // Some of them do not change, so each is checked against the present state of the others.
            undo(bulk);
            bulk = request.bulk(Map.of(), pools.back());
            proposed = propose(request, bulk);
        }
        return store(request, bulk, proposed);
    }

    /** The proposals of a list of which one was rejected. */
    private static List<Proposal> none(List<Proposal> proposed) {
        return proposed.stream()
                .map(one -> one.rejected() ? one : rejected(List.of(Submission.ANOTHER_REJECTED)))
                .toList();
    }

    /** The plans that {@link #submitTogether} would come to. */
    List<DryRun<Object>> dryRunTogether(List<Item> items) {
        AdmissionRequest request = request(items, Extent.WHOLE, Precondition.NONE, new ArrayList<>());
        Bulk bulk = request.bulk(Map.of(), pools.back());
        List<Proposal> proposed = propose(request, bulk);
        boolean none = proposed.stream().anyMatch(Proposal::rejected);
        List<DryRun<Object>> outcomes = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            outcomes.add(dryRun(items.get(i), proposed.get(i), none));
        }
        undo(bulk);
        return List.copyOf(outcomes);
    }

    private static DryRun<Object> dryRun(Item item, Proposal proposal, boolean none) {
        NumberedIntent<Object> numbered = proposal.intent()
                .map(TrackedIntent::numbered)
                .orElseGet(() -> new NumberedIntent<>("", 0, item.intent()));
        Plan plan = proposal.intent().map(TrackedIntent::plan).orElseGet(() -> Plan.rejected(proposal.problems()));
        boolean becauseOfAnother = none && !proposal.rejected();
        return new DryRun<>(numbered, becauseOfAnother ? plan.refused(List.of(Submission.ANOTHER_REJECTED)) : plan);
    }

    private <I> Submission<I> submission(AdmissionRequest request, Bulk bulk, List<Proposal> proposed) {
        bulk.report(stored -> true, request.changes());
        compiler.settle();
        CompletableFuture<?>[] resting = bulk.accepted.stream()
                .flatMap(
                        intent -> registry.find(intent.ref()).stream()) // if the store was late, it was read from there
                .map(intent -> intent.rest().thenCompose(rests -> reported(intent)))
                .toArray(CompletableFuture<?>[]::new);
        return new Submission<>(
                proposed.stream()
                        .map(one -> this.<I>outcome(one, request.only()))
                        .toList(),
                CompletableFuture.allOf(resting));
    }

    /**
     * Replaces the intent that this controller has; rejected if the store has a newer one.
     *
     * @param seen the intent that {@code next} was made of
     */
    Progress<Replacement> replace(
            IntentRegistry.Kind kind,
            String id,
            Optional<?> seen,
            Optional<?> next,
            Precondition only,
            List<StoredChange> changes) {
        kind.requireSubmitted();
        commits.requireCertain();
        TrackedIntent known = kind.byId.get(id);
        if (known == null) {
            throw new ProblemException(Deletion.unknown(kind, id));
        }
        Object now = known.numbered().intent();
        if (next.isEmpty() || !seen.equals(Optional.of(now))) {
            return new Progress.Done<>(new Replacement(now, Optional.empty()));
        }
        if (!kind.kind.identity(next.get()).equals(kind.kind.identity(now))) {
            throw new ProblemException(Intents.another(kind.kind.name()));
        }
        return this.<Object>submit(kind, List.of(next.get()), only, changes)
                .map(submission -> new Replacement(now, Optional.of(submission)));
    }

    private Map<String, String> stored(List<Item> items) {
        List<String> keys = items.stream()
                .map(item -> item.kind().same(item.intent()))
                .filter(Objects::nonNull)
                .map(known -> known.ref().toString())
                .distinct()
                .toList();
        return keys.isEmpty() ? Map.of() : commits.read(StoredIntent.MAP, keys, () -> {});
    }

    private <I> Progress<Submission<I>> store(AdmissionRequest request, Bulk bulk, List<Proposal> proposed) {
        if (bulk.values.isEmpty()) {
            return new Progress.Done<>(submission(request, bulk, proposed));
        }
        List<Store.Write> writes = new ArrayList<>(pools.writes());
        writes.addAll(OrphanedEntries.writes(bulk.orphans));
        writes.addAll(bulk.writes());
        return commits.commit(writes, () -> undo(bulk), outcome -> {
            if (outcome.failure().isPresent()) {
                bulk.report(intent -> isStored(intent.ref(), bulk), request.changes());
                outcome.raise();
            }
            if (!outcome.unmet().isEmpty()) {
                // Without those that another controller has changed it is another bulk.
                outcome.unmet().forEach(write -> request.overtaken().add(write.key()));
                return admit(request);
            }
            if (outcome.late()) {
                bulk.accepted.forEach(intent -> registry.find(intent.ref()).ifPresent(orphans::completeChanged));
            } else {
                pools.stored();
                orphans.add(bulk.orphans);
                bulk.accepted.forEach(reconciler::enqueue);
            }
            return new Progress.Done<>(submission(request, bulk, proposed));
        });
    }

    private boolean isStored(IntentRef ref, Bulk bulk) {
        Optional<Digest> now = registry.find(ref).map(known -> known.desired().stored());
        return now.isPresent()
                && now.equals(
                        Optional.ofNullable(bulk.values.get(ref.toString())).map(Digest::of));
    }

    private void undo(Bulk bulk) {
        bulk.undo.forEach(Runnable::run);
        compiler.settle();
    }

    private CompletableFuture<Void> reported(TrackedIntent intent) {
        CompletableFuture<Void> reported = views.reported(intent);
        if (!reported.isDone()) {
            thread.after("reports", PATIENCE, () -> reported.complete(null));
        }
        return reported;
    }

    /** The status is only known when the bulk is stored. */
    private <I> Submission.Outcome<I> outcome(Proposal proposal, Precondition only) {
        Optional<IntentStatus<I>> status =
                proposal.intent().flatMap(intent -> views.status(intent.ref())).map(IntentStatus::typed);
        return status.isEmpty() && !proposal.rejected() // another controller has removed it since
                ? new Submission.Outcome<>(status, false, List.of(only.overtaken()))
                : new Submission.Outcome<>(status, proposal.changed(), proposal.problems());
    }

    /** In the order of the request, whatever order they are compiled in. */
    private List<Proposal> propose(AdmissionRequest request, Bulk bulk) {
        List<Item> items = request.items();
        if (!request.whole()) {
            prepare(request);
            Turn turn = thread.turn();
            List<Proposal> proposed = new ArrayList<>();
            for (Item item : items) {
                proposed.add(propose(item, bulk));
                if (request.extent() == Extent.FIRST && turn.isOver()) {
                    break;
                }
            }
            return List.copyOf(proposed);
        }
        items.stream()
                .map(item -> item.kind().same(item.intent()))
                .filter(Objects::nonNull)
                .forEach(bulk.replaced::add);
        Map<Integer, Proposal> byPlace = new TreeMap<>();
        ReferenceOrder.of(items).forEach(place -> byPlace.put(place, propose(items.get(place), bulk)));
        return List.copyOf(byPlace.values());
    }

    /** Begins to compile the intents of a long list that are created, as they are if all before them are accepted. */
    private void prepare(AdmissionRequest request) {
        List<Item> items = request.items();
        if (items.size() <= Precompiler.SHORTEST && request.extent() != Extent.FIRST) {
            return;
        }
        List<NumberedIntent<Object>> created = new ArrayList<>();
        try {
            int number = registry.nextNumber();
            for (Item item : items.subList(0, Math.min(Precompiler.MOST, items.size()))) {
                if (item.kind().same(item.intent()) == null) {
                    created.add(new NumberedIntent<>(
                            registry.proposedId(item.kind(), item.intent()), number++, item.intent()));
                }
            }
        } catch (ProblemException rejected) {
            // This is a problem of that intent, which is reported in its turn.
        }
        if (!created.isEmpty()) {
            compiler.prepareCreated(items.get(0).kind().kind, created);
        }
    }

    /** The new values of several intents that others refer to; empty if it is one alone. */
    private Map<IntentRef, ReferencedIntent> together(List<Item> items) {
        Map<TrackedIntent, Object> replaced = new LinkedHashMap<>();
        for (Item item : items) {
            TrackedIntent existing = item.kind().same(item.intent());
            if (existing != null && compiler.referredTo(existing)) {
                replaced.put(existing, item.intent());
            }
        }
        Map<IntentRef, ReferencedIntent> together = new HashMap<>();
        if (replaced.size() > 1) {
            replaced.forEach((existing, intent) -> becomes(existing, intent)
                    .ifPresent(compiled -> together.put(
                            existing.ref(),
                            ReferencedIntent.by(existing.kind(), compiled.granted(), compiled.plan()))));
        }
        return together;
    }

    /** Empty if it is refused in any case. */
    private Optional<CompileResult> becomes(TrackedIntent existing, Object intent) {
        try {
            return Optional.of(compiler.proposed(existing, existing.numbered(existing.following(intent))))
                    .filter(compiled -> compiled.plan().feasible());
        } catch (ProblemException refused) {
            return Optional.empty();
        }
    }

    private Proposal propose(Item item, Bulk bulk) {
        TrackedIntent existing = item.kind().same(item.intent());
        try {
            return existing == null ? create(item.kind(), item.intent(), bulk) : replace(existing, item.intent(), bulk);
        } catch (ProblemException e) {
            return rejected(e.problems());
        }
    }

    private Proposal create(IntentRegistry.Kind kind, Object intent, Bulk bulk) {
        TrackedIntent tracked = created(kind, intent);
        if (bulk.overtaken.contains(tracked.ref().toString())) {
            return rejected(List.of(bulk.only.overtaken()));
        }
        List<Problem> unmet = bulk.only.against(tracked.called(), Optional.empty());
        if (!unmet.isEmpty()) {
            return rejected(unmet);
        }
        CompileResult compiled = compiler.proposed(tracked, tracked.numbered());
        if (!compiled.plan().feasible()) {
            return rejected(compiled.plan().problems());
        }
        tracked.desired(tracked.desired().with(compiled.granted()));
        registry.put(kind, tracked);
        bulk.undo.push(() -> {
            compiler.forget(tracked);
            registry.remove(kind, tracked);
            registry.free(tracked);
        });
        return accepted(tracked, StoredIntent.encode(tracked), compiled, bulk);
    }

    private TrackedIntent created(IntentRegistry.Kind kind, Object intent) {
        NumberedIntent<Object> numbered =
                new NumberedIntent<>(registry.newId(kind, intent), registry.nextNumber(), intent);
        return new TrackedIntent(kind.kind, new DesiredIntent(numbered, null));
    }

    private Proposal replace(TrackedIntent existing, Object intent, Bulk bulk) {
        if (!bulk.knows(existing)) {
            return rejected(List.of(bulk.only.overtaken()));
        }
        NumberedIntent<Object> numbered = existing.numbered(existing.following(intent));
        List<Problem> unmet = bulk.only.against(existing.called(), Optional.of(existing.tag()));
        if (StoredIntent.isSame(existing, numbered)
                && (unmet.isEmpty() || bulk.only.noneMatch().isEmpty())) {
            // Also where the tag is an older one: the answer to the first request may have been lost (RFC 9110,
            // 13.1.1).
            return new Proposal(Optional.of(existing), false, List.of());
        }
        if (!unmet.isEmpty()) {
            return rejected(unmet);
        }
        CompileResult compiled = compiler.proposed(existing, numbered);
        if (!compiled.plan().feasible()) {
            return rejected(compiled.plan().problems());
        }
        List<Problem> left = compiler.leftBehind(existing, compiled, bulk.together, bulk.replaced);
        if (!left.isEmpty()) {
            return rejected(left);
        }
        DesiredIntent before = existing.desired();
        Runnable back = compiler.back(existing);
        List<IdPools.Hold> holds = pools.holds(existing);
        bulk.undo.push(() -> {
            registry.intent(existing, existing.desired().with(before.intent()).withStored(before.stored()));
            pools.restore(existing, holds);
            back.run();
        });
        bulk.orphans.addAll(orphans.ofChanged(existing, compiled.plan().entries()));
        registry.intent(existing, existing.desired().with(compiled.granted()));
        return accepted(existing, StoredIntent.encode(existing), compiled, bulk);
    }

    private Proposal accepted(TrackedIntent tracked, String json, CompileResult compiled, Bulk bulk) {
        tracked.desired(tracked.desired().withStored(Digest.of(json)));
        compiler.accept(tracked, compiled);
        bulk.values.put(tracked.ref().toString(), json);
        bulk.accepted.add(tracked);
        return new Proposal(Optional.of(tracked), true, List.of());
    }

    private static Proposal rejected(List<Problem> problems) {
        return new Proposal(Optional.empty(), false, problems);
    }

    static void requireOne(Collection<?> those, Precondition only) {
        if (!only.isNone() && those.size() != 1) {
            throw new IllegalArgumentException("a precondition is of one intent, not of " + those.size());
        }
    }

    /** Prepares the compilation of a dry run, which its caller's thread does. */
    <I> DryRunCompilation.Preparation prepare(IntentRegistry.Kind kind, I intent, EventLoop thread) {
        kind.requireSubmitted();
        TrackedIntent existing = kind.same(intent);
        try {
            TrackedIntent tracked = existing == null ? created(kind, intent) : existing;
            StoredIntent.requireCertain(commits, tracked.ref());
            I next = existing == null ? intent : existing.following(intent);
            DryRunCompilation compilation = compiler.compilation(tracked, existing, tracked.numbered(next), thread);
            return new DryRunCompilation.Preparation(Optional.of(compilation), tracked.number(), List.of());
        } catch (ProblemException e) {
            return new DryRunCompilation.Preparation(Optional.empty(), registry.nextNumber(), e.problems());
        }
    }

    /** True if nothing has changed that the compiler of this dry run read. */
    boolean holds(DryRunCompilation compilation) {
        return compiler.revision() == compilation.revision();
    }

    /** The result that submitting would have, by the compiled plan. */
    @SuppressWarnings("unchecked")
    <I> DryRun<I> dryRun(DryRunCompilation compilation, Plan plan, Precondition only) {
        TrackedIntent tracked = compilation.tracked();
        TrackedIntent existing = compilation.existing();
        CompileResult compiled = compilation.with(compiler.against(tracked, compilation.numbered(), plan));
        List<Problem> against =
                only.against(tracked.called(), Optional.ofNullable(existing).map(TrackedIntent::tag));
        if (against.isEmpty() && existing != null && compiled.plan().feasible()) {
            against = compiler.leftBehind(existing, compiled, Map.of(), Set.of());
        }
        I next = (I) compilation.numbered().intent();
        return new DryRun<>(
                new NumberedIntent<>(
                        tracked.ref().id(),
                        tracked.number(),
                        next,
                        compiled.granted().grants()),
                against.isEmpty() ? compiled.plan() : compiled.plan().refused(against));
    }
}
