// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.sextant.core.calls.Daemons;
import org.sextant.core.intent.AllocationRequest;
import org.sextant.core.intent.Claims;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Exporter;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.PreemptionKey;
import org.sextant.core.intent.ReferencedIntent;
import org.sextant.core.intent.Reserved;

/**
 * Compiles intents of long lists on other threads, before the engine's thread comes to them. Used by that thread only.
 *
 * <p>A plan is used only if its compiler read nothing but the network, the intent and its plan before, and these are the same when the
 * intent has its turn. Numbers of pools, references, names and reservations can change until then: the engine's thread compiles intents
 * that need them. So each plan is that of the state at its turn, and a recorded run is repeated with the same plans.
 */
final class Precompiler {
    /** Most compilations that are begun and not taken; far more than a turn has time for. */
    static final int MOST = 128;

    /** Shorter lists are compiled before another thread has begun. */
    static final int SHORTEST = 16;

    private static final int IDLE_SECONDS = 10;

    private final ExecutorService workers;
    private IdentityHashMap<Object, Task> tasks = new IdentityHashMap<>();

    /** @param threads beside the engine's; 0: nothing is compiled in advance */
    Precompiler(int threads) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                Math.max(1, threads),
                Math.max(1, threads),
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Daemons.numbered("sextant-compile"),
                new ThreadPoolExecutor.DiscardPolicy());
        pool.allowCoreThreadTimeOut(true);
        if (threads < 1) {
            pool.shutdown();
        }
        this.workers = pool;
    }

    /**
     * The inputs of a compilation.
     *
     * @param admission true if the intent is submitted ({@link IntentKind#admit})
     * @param before the plan that it has; empty if it has none
     * @param base the context without answers for this intent
     */
    record Inputs(
            IntentKind<Object> kind,
            NumberedIntent<Object> intent,
            boolean admission,
            Optional<Plan> before,
            CompileContext base) {

        /** Compares by identity where values are large. */
        boolean areThoseOf(Inputs other) {
            return kind == other.kind
                    && intent.intent() == other.intent.intent()
                    && intent.number() == other.intent.number()
                    && intent.id().equals(other.intent.id())
                    && intent.grants().equals(other.intent.grants())
                    && admission == other.admission
                    && before.orElse(null) == other.before.orElse(null)
                    && base == other.base;
        }

        Plan compile(CompileContext own) {
            return admission ? kind.admit(intent, own) : kind.compile(intent, own);
        }
    }

    /** Begins to compile these, at most {@link #MOST}, in their order; compilations of others are abandoned. */
    void prepare(List<Inputs> next) {
        IdentityHashMap<Object, Task> prepared = new IdentityHashMap<>();
        for (Inputs inputs : next.subList(0, Math.min(MOST, next.size()))) {
            Task known = tasks.get(inputs.intent().intent());
            if (known == null || !known.inputs.areThoseOf(inputs)) {
                known = new Task(inputs);
                workers.execute(known);
            }
            prepared.put(inputs.intent().intent(), known);
        }
        tasks.forEach((intent, task) -> {
            if (prepared.get(intent) != task) {
                task.begin();
            }
        });
        tasks = prepared;
    }

    /** The plan for these inputs; empty if the caller has to compile them. */
    Optional<Plan> take(Inputs inputs) {
        Task task = tasks.isEmpty() ? null : tasks.remove(inputs.intent().intent());
        if (task == null || task.begin() || !task.inputs.areThoseOf(inputs)) {
            return Optional.empty();
        }
        return task.plan.join();
    }

    void close() {
        workers.shutdownNow();
    }

    /** One compilation, which the first thread that begins it runs. */
    private static final class Task implements Runnable {
        final Inputs inputs;
        final CompletableFuture<Optional<Plan>> plan = new CompletableFuture<>();
        private final AtomicBoolean begun = new AtomicBoolean();

        Task(Inputs inputs) {
            this.inputs = inputs;
        }

        /** True if it had not begun: then it never does. */
        boolean begin() {
            return begun.compareAndSet(false, true);
        }

        @Override
        public void run() {
            if (!begin()) {
                return;
            }
            Optional<Plan> result = Optional.empty();
            try {
                Questions questions = new Questions();
                CompileContext own = questions.in(inputs.base());
                Plan compiled = inputs.compile(inputs.before().map(own::after).orElse(own));
                result = questions.asked ? Optional.empty() : Optional.of(compiled);
            } catch (RuntimeException | StackOverflowError | LinkageError e) {
                return; // the engine's thread compiles it again, and reports the failure
            } finally {
                plan.complete(result);
            }
        }
    }

    /** Records that a compiler uses more than the network. */
    private static final class Questions implements Claims {
        private boolean asked;

        CompileContext in(CompileContext base) {
            return base.answering(this, this::referred, this::followed).accounting(this::reserved);
        }

        @Override
        public OptionalLong answer(NumberedIntent<?> intent, AllocationRequest claim) {
            asked = true;
            return OptionalLong.empty();
        }

        @Override
        public Optional<IntentRef> holder(AllocationRequest claim) {
            asked = true;
            return Optional.empty();
        }

        private Optional<ReferencedIntent> referred(IntentRef ref) {
            asked = true;
            return Optional.empty();
        }

        private List<Exporter> followed(String name) {
            asked = true;
            return List.of();
        }

        private Reserved reserved(PreemptionKey seat) {
            asked = true;
            return Reserved.NOTHING;
        }
    }
}
