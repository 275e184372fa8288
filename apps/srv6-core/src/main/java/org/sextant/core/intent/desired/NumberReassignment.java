// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.intent.DesiredIntent;
import org.sextant.core.intent.Digest;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.intent.allocate.IdPools;
import org.sextant.core.intent.install.TrackedIntent;
import org.sextant.core.intent.orphan.Orphan;
import org.sextant.core.intent.orphan.OrphanedEntries;
import org.sextant.core.loop.Commits;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.loop.StoreLateException;
import org.sextant.core.port.Store;
import org.sextant.core.port.StoreUnavailableException;

/**
 * Allocates other numbers to stored intents: the network needs more of them, or an older intent has the same. One
 * controller does, the one that coordination names; all see that change as any other, and install nothing of such an
 * intent until then.
 */
public final class NumberReassignment {
    private final IdPools pools;
    private final OrphanedEntries orphans;
    private final EngineRuntime runtime;
    private final Commits commits;
    private final EventLoop thread;
    private final CompilerAgreement agreement;

    /** Intents that need other numbers. */
    private final Set<TrackedIntent> waiting = new LinkedHashSet<>();

    /** Intents for which there are none, until some come free. */
    private final Set<TrackedIntent> denied = new LinkedHashSet<>();

    /** The store did not answer. */
    private boolean stalled;

    NumberReassignment(DesiredRooms rooms, CompilerAgreement agreement) {
        this.agreement = agreement;
        this.pools = rooms.allocations().pools();
        this.orphans = rooms.orphans();
        this.runtime = rooms.runtime();
        this.commits = runtime.commits();
        this.thread = runtime.loop();
    }

    /** An intent was compiled with its present numbers. */
    void compiled(TrackedIntent intent, CompileResult compiled) {
        forget(intent);
        if (compiled.waits()) {
            waiting.add(intent);
        } else if (compiled.session().denied()) {
            denied.add(intent);
        }
    }

    void forget(TrackedIntent intent) {
        waiting.remove(intent);
        denied.remove(intent);
    }

    /** When called, restores the present wait of an intent. */
    Runnable back(TrackedIntent intent) {
        boolean waits = waiting.contains(intent);
        boolean without = denied.contains(intent);
        return () -> {
            forget(intent);
            if (waits) {
                waiting.add(intent);
            } else if (without) {
                denied.add(intent);
            }
        };
    }

    /** Intents that may be compiled to something else now. */
    Set<TrackedIntent> affected() {
        Set<TrackedIntent> affected = new LinkedHashSet<>(pools.takeDisplaced());
        if (pools.takeReleased()) {
            affected.addAll(waiting);
            affected.addAll(denied);
        }
        return affected;
    }

    /** The state before a number was given, for the case that the store refuses it. */
    private record Before(DesiredIntent desired, List<IdPools.Hold> holds) {}

    /** Gives numbers to all that wait, if that is for this controller to do; false if nothing changed. */
    boolean grant(Compiler compiler) {
        if (waiting.isEmpty()
                || stalled
                || commits.busy()
                || !commits.certain()
                || agreement.standsAside()
                || !runtime.coordination().isMine(IntentStore.NUMBERING)) {
            return false;
        }
        Map<TrackedIntent, Before> before = new LinkedHashMap<>();
        Map<TrackedIntent, CompileResult> given = new LinkedHashMap<>();
        Map<TrackedIntent, String> stored = new LinkedHashMap<>();
        Runnable turns = pools.back();
        Runnable undo = () -> {
            before.forEach((intent, had) -> {
                intent.desired(had.desired());
                pools.restore(intent, had.holds());
            });
            turns.run();
        };
        List<TrackedIntent> content = new ArrayList<>();
        List<Orphan> left = new ArrayList<>();
        try {
            List<TrackedIntent> inOrder = waiting.stream().sorted().toList();
            Map<String, String> there = commits.read(
                    StoredIntent.MAP,
                    inOrder.stream().map(intent -> intent.ref().toString()).toList(),
                    commits::decide);
            for (TrackedIntent intent : inOrder) {
                CompileResult compiled = compiler.compile(intent);
                if (!compiled.waits()) {
                    content.add(intent);
                } else if (isAsStored(intent, there, stored)) {
                    left.addAll(orphans.ofChanged(intent, compiled.plan().entries()));
                    before.put(intent, new Before(intent.desired(), pools.holds(intent)));
                    given.put(intent, compiled);
                    intent.desired(intent.desired().with(compiled.granted()));
                    compiled.take(pools, intent);
                }
            }
            if (!store(stored, left)) {
                undo.run();
                thread.react(); // the rest receives its numbers when this is handled
                return false;
            }
        } catch (StoreLateException e) {
            undo.run();
            return false; // its answer has this done again
        } catch (RuntimeException e) {
            undo.run();
            stall(e);
            return false;
        }
        orphans.add(left);
        waiting.removeAll(given.keySet());
        content.forEach(waiting::remove);
        given.forEach((intent, compiled) -> compiler.want(intent, compiled.plan()));
        content.forEach(compiler::want);
        return !given.isEmpty() || !content.isEmpty();
    }

    /** If another controller changed it meanwhile, the store reports that soon, and it must not be overwritten. */
    private static boolean isAsStored(
            TrackedIntent intent, Map<String, String> there, Map<TrackedIntent, String> stored) {
        Optional<String> text = Optional.ofNullable(there.get(intent.ref().toString()))
                .filter(now -> Digest.of(now).equals(intent.desired().stored()));
        text.ifPresent(now -> stored.put(intent, now));
        return text.isPresent();
    }

    private void stall(RuntimeException e) {
        stalled = true;
        thread.after("numbers retry", runtime.settings().retryDelay(), () -> stalled = false);
        if (!(e instanceof StoreUnavailableException)) { // no fault of the engine, and its host reports it
            runtime.emit(new EngineEvent.Fault("numbers of pools", e));
        }
    }

    /** False, and nothing is stored, if another controller has changed one of them at the same moment. */
    private boolean store(Map<TrackedIntent, String> before, List<Orphan> left) {
        if (before.isEmpty()) {
            return true;
        }
        List<Store.Write> writes = new ArrayList<>(pools.writes());
        writes.addAll(OrphanedEntries.writes(left));
        Map<TrackedIntent, String> after = new LinkedHashMap<>();
        before.forEach((intent, text) -> {
            String next = StoredIntent.encode(intent);
            after.put(intent, next);
            writes.add(Store.Write.replace(StoredIntent.MAP, intent.ref().toString(), text, next));
        });
        if (!commits.make(writes, () -> {}).isEmpty()) {
            return false;
        }
        pools.stored();
        after.forEach((intent, text) -> intent.desired(intent.desired().withStored(Digest.of(text))));
        return true;
    }
}
