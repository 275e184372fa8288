// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.sextant.core.port.Store;
import org.sextant.core.port.StoreUnavailableException;

/**
 * Writes related changes in one commit, over all maps of the engine. A failed commit may have been made all the same:
 * its keys are uncertain until they are read again, and until then no other change is made. A late commit is rolled
 * back here, as if it had failed, so that nothing depends on it; when the store answers, its keys are read before any
 * change of an intent goes on. Touched by the engine's thread only, but for {@link #uncertain}.
 */
public final class Commits {
    /** The thread waits so much longer for each write of a commit: compiling a large bulk anew would take longer. */
    private static final Duration EACH_WRITE = Duration.ofNanos(20_000);

    private final Store store;
    private final EventLoop thread;
    private final Duration retryDelay;
    private Runnable settle = () -> {};
    private final StoreCalls calls;
    private final ChangeQueue changes;

    /**
     * Watches by map, in the order of reading: an orphan keeps rows and numbers from others before its intent releases
     * them.
     */
    private final Map<String, StoreWatch> followed = new LinkedHashMap<>();

    /** The writes of the commit that is late. */
    private List<Store.Write> committing = List.of();

    /** A late answer to a question, for the step that it repeats; null at any other time. */
    private @Nullable LateAnswer reading;

    /** The keys of a question, and its answer. */
    private record LateAnswer(String map, List<String> keys, Answer<SortedMap<String, String>> answer) {}

    /**
     * The result of a commit.
     *
     * @param unmet the writes whose condition does not hold; nothing is made then
     * @param failure of the store: the commit may have been made, and is if the keys have its values
     * @param late the commit was rolled back here, and its keys were read again
     */
    public record Outcome(List<Store.Write> unmet, Optional<Throwable> failure, boolean late) {
        /** Throws the store's exception. */
        public void raise() {
            if (failure.isPresent()) {
                Answer.failed(failure.get()).get();
            }
        }
    }

    /** Without {@link #onRead} the values that are read have no effect. */
    public Commits(Store store, EventLoop thread, StoreTimeouts timeouts) {
        this.store = store;
        this.thread = thread;
        this.retryDelay = timeouts.retryDelay();
        this.changes = new ChangeQueue(this, thread, timeouts.deadline());
        this.calls = new StoreCalls(thread, timeouts.patience(), timeouts.deadline(), this::proceed, changes::expire);
    }

    /** @param decides handles the keys that reading added and removed */
    public void onRead(Runnable decides) {
        settle = decides;
    }

    /** For calls of other threads. */
    public Store store() {
        return store;
    }

    /** Reads a map at the start; it waits as long as the store does. */
    public SortedMap<String, String> load(String map) {
        return thread.observe(StoreQuestion.all(store, map));
    }

    /** For calls that change no followed map. */
    public StoreCalls calls() {
        return calls;
    }

    /**
     * Makes a change when those before it are made.
     *
     * @param change is run again from its beginning if a call of the store before its commit was late
     * @return completes with its result; at the deadline with a {@link StoreUnavailableException}
     */
    public <T> CompletableFuture<T> submit(Supplier<Progress<T>> change) {
        return changes.submit(change);
    }

    public boolean busy() {
        return calls.busy();
    }

    boolean overdue() {
        return calls.overdue();
    }

    /** True if no call is pending and no change waits for one. */
    public boolean quiet() {
        return !calls.busy() && changes.isEmpty();
    }

    public void close() {
        changes.close();
    }

    /**
     * Follows a map after those that are followed already.
     *
     * @param follow is given a key and its value in the store; empty if there is none
     */
    public StoreWatch follow(String map, BiConsumer<String, Optional<String>> follow) {
        StoreWatch following = new StoreWatch(store, calls, map, thread, retryDelay, follow);
        followed.put(map, following);
        return following;
    }

    /**
     * The values of those {@code keys} that are there.
     *
     * @param again runs when the answer is late, and gets it if it reads the same keys; so do changes that wait
     * @throws StoreLateException if the answer is late
     */
    public SortedMap<String, String> read(String map, Collection<String> keys, Runnable again) {
        List<String> asked = List.copyOf(keys);
        LateAnswer here = reading;
        if (here != null && here.map().equals(map) && here.keys().equals(asked)) {
            reading = null;
            return here.answer().get();
        }
        return calls.call(StoreQuestion.values(store, map, asked), Duration.ZERO, answer -> {
            reading = new LateAnswer(map, asked, answer);
            try {
                again.run();
                changes.proceed();
            } finally {
                reading = null;
            }
        });
    }

    /**
     * Makes all of {@code writes} in one durable step, or none. Not for {@code settle}, which runs within this.
     *
     * @param writes of followed maps
     * @param undo runs if they are not made, or it is unknown whether they are: the engine is then as before
     * @param then receives the outcome, at once or when the store has answered and was read again
     * @throws StoreLateException if nothing was written because another call is pending; {@code undo} has run
     */
    public <T> Progress<T> commit(List<Store.Write> writes, Runnable undo, Function<Outcome, Progress<T>> then) {
        CompletableFuture<Outcome> late = new CompletableFuture<>();
        List<Store.Write> unmet;
        try {
            unmet = make(writes, undo, late::complete);
        } catch (StoreLateException e) {
            if (e.asked()) {
                return new Progress.Pending<>(() -> then.apply(late.join())); // it is called when that is known
            }
            throw e;
        } catch (RuntimeException e) {
            try {
                readAgain();
            } catch (RuntimeException unreadable) {
                e.addSuppressed(unreadable);
            }
            Outcome failed = new Outcome(List.of(), Optional.of(e), false);
            return busy() ? new Progress.Pending<>(() -> then.apply(failed)) : then.apply(failed);
        }
        return then.apply(new Outcome(unmet, Optional.empty(), false));
    }

    /**
     * As {@link #commit}, but after a failure the keys are uncertain for a while in any case.
     *
     * @return the writes whose condition does not hold; empty if all are durable
     * @throws StoreLateException if it is late: it may be made, and then the engine receives it as any other change
     * @throws RuntimeException of the store; it may be made
     */
    public List<Store.Write> make(List<Store.Write> writes, Runnable undo) {
        return make(writes, undo, outcome -> {});
    }

    private List<Store.Write> make(List<Store.Write> writes, Runnable undo, Consumer<Outcome> late) {
        reading = null; // it is of before this commit
        List<Store.Write> unmet;
        try {
            unmet = calls.call(
                    StoreQuestion.commit(store, writes),
                    EACH_WRITE.multipliedBy(writes.size()),
                    answer -> settle(writes, answer, late));
        } catch (StoreLateException e) {
            committing = e.asked() ? writes : committing;
            undo.run();
            throw e;
        } catch (RuntimeException | Error e) {
            doubt(writes);
            undo.run();
            throw e;
        }
        if (!unmet.isEmpty()) {
            undo.run();
        }
        return unmet;
    }

    /** Takes the answer of a late commit. Whatever it is, the keys are read before anything goes on. */
    private void settle(List<Store.Write> writes, Answer<List<Store.Write>> answer, Consumer<Outcome> late) {
        committing = List.of();
        doubt(writes);
        late.accept(new Outcome(answer.value().orElse(List.of()), answer.failure(), true));
    }

    private void doubt(List<Store.Write> writes) {
        writes.forEach(write -> following(write.map()).doubt(write.key()));
    }

    /** The request of the late commit was answered: its keys are uncertain from now on. */
    void abandon() {
        doubt(committing);
    }

    /** Goes on when a late call was answered. */
    private void proceed() {
        if (isKnown()) {
            settle.run(); // others may have waited to write
        }
        changes.proceed();
    }

    /** Handles the work that waited for an answer. */
    public void decide() {
        settle.run();
    }

    /**
     * True if the store's values of all written keys are known. They are read if need be, unless the store refused to
     * be read a moment ago.
     */
    boolean isKnown() {
        if (!certain() && followed.values().stream().noneMatch(StoreWatch::unanswered)) {
            readAgain();
        }
        return !busy() && certain();
    }

    private StoreWatch following(String map) {
        return Optional.ofNullable(followed.get(map))
                .orElseThrow(() -> new IllegalArgumentException("the map " + map + " is not followed"));
    }

    /** True if the engine has read or confirmed the store's values of all keys that it wrote. */
    public boolean certain() {
        return followed.values().stream().allMatch(StoreWatch::certain);
    }

    /** True from a failed commit of a key of a followed map until the key is read again; any thread may call it. */
    public boolean uncertain(String map, String key) {
        return following(map).uncertain(key);
    }

    /** Reads uncertain keys now, and adopts their values. They stay uncertain if the store does not answer. */
    private void readAgain() {
        if (busy()) {
            return;
        }
        for (StoreWatch one : followed.values()) {
            if (!one.certain()) {
                one.catchUp();
            }
            if (!one.certain() || busy()) {
                break;
            }
        }
        settle.run();
    }

    /**
     * @throws StoreLateException if keys are uncertain and being read
     * @throws StoreUnavailableException if keys are uncertain and cannot be read
     */
    public void requireCertain() {
        if (!certain()) {
            readAgain();
        }
        if (busy()) {
            throw new StoreLateException(false);
        }
        if (!certain()) {
            throw new StoreUnavailableException(
                    "an earlier change was refused, and it is unknown whether it is stored: the store cannot be read; nothing is"
                            + " changed until it has been, which is tried again every " + retryDelay.toMillis()
                            + " ms");
        }
    }

    /**
     * Any thread may call it.
     *
     * @param called names the stored object, for the message
     * @throws StoreUnavailableException if the store's value of the key is {@linkplain #uncertain uncertain}
     */
    public void requireCertain(String map, String key, String called) {
        if (uncertain(map, key)) {
            throw new StoreUnavailableException("a change of " + called
                    + " was refused, and it is unknown whether it is stored: the store cannot be read, which is tried again every "
                    + retryDelay.toMillis() + " ms");
        }
    }

    /** Follows the changes in the store; called when the messages at hand are handled. */
    public void catchUp() {
        while (read()) {
            settle.run();
        }
        changes.proceed();
    }

    private boolean read() {
        boolean any = false;
        for (StoreWatch one : followed.values()) {
            if (one.behind() && !busy()) {
                any = true;
                one.catchUp();
            }
            if (!one.certain() || busy()) {
                break;
            }
        }
        return any;
    }
}
