// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.Digest;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.Precondition;
import org.sextant.core.intent.StoredChange;
import org.sextant.core.intent.install.Reconciler;
import org.sextant.core.intent.install.TrackedIntent;
import org.sextant.core.intent.orphan.Orphan;
import org.sextant.core.intent.orphan.OrphanedEntries;
import org.sextant.core.intent.status.Views;
import org.sextant.core.loop.Commits;
import org.sextant.core.loop.Progress;
import org.sextant.core.port.Store;

/** Deletes intents: first in the store, together with their orphaned entries, then on the nodes. */
final class Deletion {
    /** The most referring intents that a message names. */
    private static final int NAMED = 3;

    /** About as many as there is time for in a turn. */
    private static final int MOST_AT_ONCE = 64;

    private final IntentRegistry registry;
    private final Compiler compiler;
    private final Reconciler reconciler;
    private final OrphanedEntries orphans;
    private final Views views;
    private final Commits commits;

    Deletion(DesiredRooms rooms, IntentRegistry registry, Compiler compiler) {
        this.registry = registry;
        this.compiler = compiler;
        this.reconciler = rooms.installation().reconciler();
        this.orphans = rooms.orphans();
        this.views = rooms.views();
        this.commits = rooms.runtime().commits();
    }

    /**
     * Completes when the rows are gone or it is known which ones stay.
     *
     * @param only holds of one intent only
     * @param changes collects the changes that the store has accepted
     * @throws ProblemException UNKNOWN if an id is not there, CONFLICT if others refer to one, PRECONDITION if that does not hold;
     *     then nothing changed
     */
    Progress<CompletableFuture<Void>> withdraw(
            IntentRegistry.Kind kind, Collection<String> ids, Precondition only, List<StoredChange> changes) {
        Admission.requireOne(ids, only);
        commits.requireCertain();
        List<TrackedIntent> leaving = present(kind, ids);
        requireAlone(leaving);
        List<String> keys =
                leaving.stream().map(intent -> intent.ref().toString()).toList();
        Map<String, String> before = commits.read(StoredIntent.MAP, keys, () -> {});
        leaving.forEach(intent -> require(only, intent, before));
        List<Orphan> left = new ArrayList<>();
        leaving.forEach(intent -> left.addAll(orphans.ofWithdrawn(intent)));
        List<Store.Write> writes = new ArrayList<>(OrphanedEntries.writes(left));
        writes.addAll(removals(only, keys, before));
        return commits.commit(writes, () -> {}, outcome -> {
            if (outcome.failure().isPresent()) {
                leaving.stream()
                        .filter(intent -> intent.isRemoved())
                        .forEach(intent -> changes.add(removed(intent, before)));
                outcome.raise();
            }
            if (!outcome.unmet().isEmpty()) {
                throw new ProblemException(only.overtaken());
            }
            leaving.forEach(intent -> changes.add(removed(intent, before)));
            if (outcome.late()) {
                leaving.stream().filter(intent -> intent.isRemoved()).forEach(orphans::completeWithdrawn);
            } else {
                orphans.add(left);
                leaving.forEach(intent -> drop(kind, intent));
            }
            CompletableFuture<?>[] rests = leaving.stream()
                    .map(intent -> intent.rest().thenCompose(rested -> orphans.settled(intent.ref())))
                    .toArray(CompletableFuture<?>[]::new);
            compiler.settle();
            return new Progress.Done<>(CompletableFuture.allOf(rests));
        });
    }

    /**
     * The parts of a list that are withdrawn one after the other: those that others of it refer to come last, together.
     *
     * @throws ProblemException as {@link #withdraw} of the whole list would
     */
    List<List<String>> parts(IntentRegistry.Kind kind, Collection<String> ids) {
        List<TrackedIntent> leaving = present(kind, ids);
        requireAlone(leaving);
        List<String> free = new ArrayList<>();
        List<String> referredTo = new ArrayList<>();
        leaving.forEach(intent -> (registry.referers(intent.ref()).isEmpty() ? free : referredTo)
                .add(intent.ref().id()));
        List<List<String>> parts = new ArrayList<>();
        for (int from = 0; from < free.size(); from += MOST_AT_ONCE) {
            parts.add(free.subList(from, Math.min(from + MOST_AT_ONCE, free.size())));
        }
        if (!referredTo.isEmpty()) {
            parts.add(referredTo);
        }
        return parts;
    }

    private static void require(Precondition only, TrackedIntent intent, Map<String, String> before) {
        String now = before.get(intent.ref().toString());
        if (only.isNone() || now == null) {
            return; // another controller has already deleted it
        }
        List<Problem> unmet = Digest.of(now).equals(intent.desired().stored())
                ? only.against(intent.called(), Optional.of(intent.tag()))
                : List.of(only.overtaken());
        if (!unmet.isEmpty()) {
            throw new ProblemException(unmet);
        }
    }

    /** An intent with a precondition is removed only in the state that was evaluated. */
    private static List<Store.Write> removals(Precondition only, List<String> keys, Map<String, String> before) {
        return only.isNone()
                ? keys.stream()
                        .map(key -> Store.Write.clear(StoredIntent.MAP, key))
                        .toList()
                : before.entrySet().stream()
                        .map(one -> Store.Write.delete(StoredIntent.MAP, one.getKey(), one.getValue()))
                        .toList();
    }

    private static StoredChange removed(TrackedIntent intent, Map<String, String> before) {
        return new StoredChange(
                intent.ref(), Optional.ofNullable(before.get(intent.ref().toString())), Optional.empty());
    }

    /** The intents to delete, without those whose deletion is pending. */
    private List<TrackedIntent> present(IntentRegistry.Kind kind, Collection<String> ids) {
        List<Problem> unknown = ids.stream()
                .filter(id -> !kind.byId.containsKey(id) && !orphans.any(new IntentRef(kind.kind.name(), id)))
                .map(id -> unknown(kind, id))
                .toList();
        if (!unknown.isEmpty()) {
            throw new ProblemException(unknown);
        }
        return ids.stream()
                .distinct()
                .filter(kind.byId::containsKey)
                .map(kind.byId::get)
                .toList();
    }

    static Problem unknown(IntentRegistry.Kind kind, String id) {
        return new Problem(
                Problem.Code.UNKNOWN,
                "/id",
                "there is no " + kind.kind.name() + " with the id \"" + id + "\"",
                "list them to see the ids");
    }

    /** No intent that stays may refer to one that goes. */
    private void requireAlone(List<TrackedIntent> leaving) {
        Set<TrackedIntent> going = new HashSet<>(leaving);
        List<Problem> problems = new ArrayList<>();
        for (TrackedIntent intent : leaving) {
            Set<TrackedIntent> referers = registry.referers(intent.ref());
            if (!going.containsAll(referers)) {
                problems.add(referredTo(intent, referers));
            }
        }
        if (!problems.isEmpty()) {
            throw new ProblemException(problems);
        }
    }

    private static Problem referredTo(TrackedIntent intent, Set<TrackedIntent> referers) {
        String some = referers.stream()
                .sorted()
                .limit(NAMED)
                .map(TrackedIntent::called)
                .collect(Collectors.joining(", "));
        int more = referers.size() - NAMED;
        return new Problem(
                Problem.Code.CONFLICT,
                "/id",
                intent.called() + " is needed by " + referers.size() + (referers.size() == 1 ? " other: " : " others: ")
                        + some + (more > 0 ? " and " + more + " more" : ""),
                "delete these first");
    }

    /** Takes out an intent that is not stored any more, or never was. */
    void drop(IntentRegistry.Kind kind, TrackedIntent intent) {
        registry.remove(kind, intent);
        registry.free(intent);
        intent.withdraw();
        compiler.forget(intent);
        views.remove(intent);
        reconciler.enqueue(intent);
    }
}
