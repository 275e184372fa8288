// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.onosproject.core.ApplicationId;
import org.onosproject.store.service.AsyncConsistentMap;
import org.onosproject.store.service.AsyncIterator;
import org.onosproject.store.service.Serializer;
import org.onosproject.store.service.StorageService;
import org.onosproject.store.service.Versioned;
import org.sextant.core.port.StoreUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ONOS's consistent maps of texts, and how long one waits for them. ONOS waits 15 s for each operation and tries again
 * in vain while this controller is cut off from the storage nodes, and the engine's thread would wait with it. Here the
 * first operation without an answer ends after {@link #PATIENCE}; those behind it fail at once, until a question
 * without a waiting caller is answered.
 */
final class Storage {
    /** An election among the storage nodes takes up to 3 s. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Duration PROBE = Duration.ofSeconds(1);

    /** In probes. Atomix 3.1.9 ends a session after 30 s at the latest. */
    private static final List<Integer> AGAIN = List.of(5, 15, 35);

    /** Questions on their way at once: few enough for their answers to come within {@link #PATIENCE}. */
    private static final int AT_ONCE = 500;

    private static final Logger LOG = LoggerFactory.getLogger(Storage.class);

    /** Keys and values are texts: UTF-8 needs no class to stay as it is over an upgrade. */
    private static final Serializer TEXT = new Serializer() {
        @Override
        public <T> byte[] encode(T text) {
            return ((String) text).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
        public <T> T decode(byte[] bytes) {
            return (T) new String(bytes, StandardCharsets.UTF_8);
        }

        @Override
        public <T> T copy(T text) {
            return text;
        }
    };

    private final StorageService storage;
    private final ApplicationId app;
    private final ScheduledExecutorService executor;
    private final Duration patience;
    private final Duration probe;
    private final Map<String, AsyncConsistentMap<String, String>> maps = new ConcurrentHashMap<>();
    private volatile Runnable whenBack = () -> {};
    private volatile boolean reachable = true;
    private volatile boolean current = true;
    private volatile long lastBeat;
    private List<? extends ScheduledFuture<?>> again = List.of();
    private final AtomicBoolean asking = new AtomicBoolean();

    Storage(StorageService storage, ApplicationId app, ScheduledExecutorService executor) {
        this(storage, app, executor, PATIENCE, PROBE);
    }

    Storage(
            StorageService storage,
            ApplicationId app,
            ScheduledExecutorService executor,
            Duration patience,
            Duration probe) {
        this.storage = storage;
        this.app = app;
        this.executor = executor;
        this.patience = patience;
        this.probe = probe;
    }

    AsyncConsistentMap<String, String> map(String name) {
        return maps.computeIfAbsent(
                name,
                n -> storage.<String, String>consistentMapBuilder()
                        .withName("sextant-" + n)
                        .withApplicationId(app)
                        .withSerializer(TEXT)
                        .buildAsyncMap());
    }

    /** False from a question without an answer on, until one is answered. */
    boolean reachable() {
        return reachable;
    }

    /** False from a question without an answer on, until one is answered and {@link #whenBack} has run. */
    boolean current() {
        return current;
    }

    /** Runs on the executor when the storage answers after it did not, or after this controller was away from it. */
    void whenBack(Runnable action) {
        whenBack = action;
    }

    /**
     * Asks something all the time from now on: a controller that has nothing to ask is to notice, too, that it was away,
     * as its session with the storage nodes may have ended meanwhile.
     */
    void beat() {
        lastBeat = System.nanoTime();
        executor.scheduleWithFixedDelay(this::beatOnce, probe.toMillis(), probe.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void beatOnce() {
        long now = System.nanoTime();
        if (now - lastBeat > patience.toNanos()) {
            away(); // this process stood still
        }
        lastBeat = System.nanoTime();
        if (reachable && !maps.isEmpty() && asking.compareAndSet(false, true)) {
            probed().whenComplete((answer, failure) -> {
                asking.set(false);
                if (failure != null) {
                    lost(failure instanceof TimeoutException ? noAnswer() : String.valueOf(failure));
                } else if (System.nanoTime() - now > 2 * probe.toNanos()) {
                    away();
                }
            });
        }
    }

    /**
     * Runs on the executor: the actions given to {@link #whenBack} are done now, and some times more. Each map has a
     * session of its own, which the storage nodes may end when the connection to them is there again already, and
     * report nothing from then until the map is next used.
     */
    private synchronized void back() {
        whenBack.run();
        current = reachable;
        lastBeat = System.nanoTime();
        again.forEach(one -> one.cancel(false));
        again = AGAIN.stream()
                .map(probes -> executor.schedule(whenBack, probes * probe.toMillis(), TimeUnit.MILLISECONDS))
                .toList();
    }

    /** For callers with other news of it: this controller, or others, may have been away. */
    void away() {
        later(this::back);
    }

    /** Runs soon, and in turn with other work in the background. */
    void later(Runnable action) {
        try {
            executor.execute(action);
        } catch (RejectedExecutionException closed) {
            LOG.debug("the store is closed");
        }
    }

    /** @throws StoreUnavailableException if there is no answer in time, or was none before */
    <T> T ask(Supplier<CompletableFuture<T>> question) {
        return askAll(List.of(question), Supplier::get).get(0);
    }

    /** Asks the same about each of {@code all}, not one after the other; answers in their order. */
    <Q, A> List<A> askAll(Collection<Q> all, Function<Q, CompletableFuture<A>> question) {
        if (!reachable && !all.isEmpty()) {
            throw unavailable("did not answer");
        }
        List<Q> questions = List.copyOf(all);
        List<A> answers = new ArrayList<>();
        for (int from = 0; from < questions.size(); from += AT_ONCE) {
            List<CompletableFuture<A>> asked =
                    questions.subList(from, Math.min(from + AT_ONCE, questions.size())).stream()
                            .map(question)
                            .toList();
            long deadline = System.nanoTime() + patience.toNanos();
            asked.forEach(answer -> answers.add(await(answer, deadline)));
        }
        return answers;
    }

    /** A map's entries; of one that changes meanwhile, some are as before and some as after. */
    SortedMap<String, Versioned<String>> read(String name) {
        SortedMap<String, Versioned<String>> entries = new TreeMap<>();
        AsyncIterator<Map.Entry<String, Versioned<String>>> iterator = ask(map(name)::iterator);
        while (ask(iterator::hasNext)) {
            Map.Entry<String, Versioned<String>> entry = ask(iterator::next);
            entries.put(entry.getKey(), entry.getValue());
        }
        return entries;
    }

    private <T> T await(CompletableFuture<T> answer, long deadline) {
        try {
            return answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            lost(noAnswer());
            throw unavailable("do not answer");
        } catch (ExecutionException e) {
            lost(String.valueOf(e.getCause()));
            throw unavailable("cannot be reached");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable("were not waited for: the controller is stopping");
        }
    }

    private String noAnswer() {
        return "no answer within " + patience.toMillis() + " ms";
    }

    private static StoreUnavailableException unavailable(String what) {
        return new StoreUnavailableException(
                "ONOS's storage nodes " + what + ". If something was to be stored, look whether it is"
                        + " there before you send it again: it may be, when they answer. See the links to them, and onos:nodes");
    }

    private synchronized void lost(String why) {
        if (reachable) {
            reachable = false;
            current = false;
            LOG.warn("storage reachable=false reason=\"{}\"; what is stored can be read, but not changed", why);
            probeLater();
        }
    }

    private void probeLater() {
        try {
            executor.schedule(this::probe, probe.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.debug("the store is closed");
        }
    }

    private void probe() {
        probed().whenComplete((answer, failure) -> {
            if (failure != null) {
                probeLater();
            } else {
                reachable = true;
                LOG.info("storage reachable=true");
                away();
            }
        });
    }

    /** Every answer will do; the map is one that was built before. */
    private CompletableFuture<?> probed() {
        return maps.values().iterator().next().get("probe").orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS);
    }
}
