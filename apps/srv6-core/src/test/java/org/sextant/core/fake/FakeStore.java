// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.fake;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.sextant.core.port.Store;
import org.sextant.core.port.StoreUnavailableException;
import org.sextant.core.port.Subscription;

/** A store that several engines may share, that can refuse to write, and that outlives the engines of a test. */
public final class FakeStore implements Store {
    private static final long HANGS_AT_MOST_SECONDS = 60;

    private final Map<String, SortedMap<String, String>> maps = new TreeMap<>();
    private final Map<String, List<Consumer<Change>>> listeners = new ConcurrentHashMap<>();
    private final AtomicInteger writes = new AtomicInteger();
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile CountDownLatch reached = new CountDownLatch(0);
    private volatile Hang at = Hang.BEFORE;
    private volatile RuntimeException failure;
    private volatile Runnable meanwhile = () -> {};
    private volatile Supplier<Optional<Fault>> faults = Optional::empty;

    /** The failure of a commit; listeners do not receive its changes. */
    public enum Fault {
        /** Nothing of it is stored. */
        REFUSED,
        /** All of it is stored, and the answer is lost. */
        UNANSWERED,
        /** The first half of its writes is stored: by a host that does not keep to the port. */
        TORN
    }

    /** From now on {@code faults} decides for every commit how it fails, if at all. */
    public void faults(Supplier<Optional<Fault>> faults) {
        this.faults = faults;
    }

    /** The part of a commit that a hanging store has made. */
    public enum Hang {
        /** Nothing: it makes it when it goes on. */
        BEFORE,
        /** All: its answer is missing. */
        AFTER
    }

    /** From now on no call is answered until {@link #goOn}. */
    public void hang(Hang at) {
        goOn();
        this.at = at;
        reached = new CountDownLatch(1);
        gate = new CountDownLatch(1);
    }

    /** Waits until a call hangs. */
    public void awaitHanging() throws InterruptedException {
        if (!reached.await(HANGS_AT_MOST_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("no call");
        }
    }

    /** Answers the pending calls, and all later ones at once. */
    public void goOn() {
        gate.countDown();
    }

    /** Reports a change again. */
    public void tellAgain(Change change) {
        tell(change);
    }

    private void pass(Hang here) {
        CountDownLatch closed = gate;
        if (at != here || closed.getCount() == 0) {
            return;
        }
        reached.countDown();
        try {
            if (!closed.await(HANGS_AT_MOST_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("a test left the store hanging");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The next commit fails. */
    public void failNext(Fault fault) {
        AtomicReference<Optional<Fault>> once = new AtomicReference<>(Optional.of(fault));
        faults(() -> once.getAndSet(Optional.empty()));
    }

    /** From now on every write throws {@code failure}; null: none does. */
    public void failWith(RuntimeException failure) {
        this.failure = failure;
    }

    /** The next {@code times} questions for keys are not answered. */
    public void failReads(int times) {
        unanswered.set(times);
    }

    /** The number of questions of {@link #failReads} that are still to come. */
    public int readsToFail() {
        return unanswered.get();
    }

    /** Another controller writes this before the next step of this one, and no listener has received it yet. */
    public void meanwhile(String map, String key, String value) {
        meanwhile = () -> of(map).put(key, value);
    }

    /** Another controller has written this, and no listener has received it yet. */
    public synchronized void unheard(String map, String key, String value) {
        of(map).put(key, value);
    }

    /** The number of durable steps. */
    public int writes() {
        return writes.get();
    }

    @Override
    public synchronized Optional<String> get(String map, String key) {
        return Optional.ofNullable(of(map).get(key));
    }

    @Override
    public synchronized SortedMap<String, String> all(String map) {
        return new TreeMap<>(of(map));
    }

    @Override
    public SortedMap<String, String> getAll(String map, Collection<String> keys) {
        pass(Hang.BEFORE);
        return some(map, keys);
    }

    private synchronized SortedMap<String, String> some(String map, Collection<String> keys) {
        if (unanswered.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new StoreUnavailableException("the store does not answer");
        }
        SortedMap<String, String> all = of(map);
        SortedMap<String, String> some = new TreeMap<>();
        keys.stream().filter(all::containsKey).forEach(key -> some.put(key, all.get(key)));
        return some;
    }

    @Override
    public List<Write> commit(List<Write> writes) {
        pass(Hang.BEFORE);
        List<Write> unmet = made(writes);
        pass(Hang.AFTER);
        return unmet;
    }

    private List<Write> made(List<Write> writes) {
        List<Change> changes = new ArrayList<>();
        synchronized (this) {
            if (writes.stream().anyMatch(write -> !(write.condition() instanceof Condition.Any))) {
                others();
            }
            requireDifferentKeys(writes);
            List<Write> unmet = writes.stream()
                    .filter(write -> !write.condition().holds(of(write.map()).get(write.key())))
                    .toList();
            if (!unmet.isEmpty()) {
                return unmet;
            }
            write();
            faults.get().ifPresent(fault -> fail(fault, writes));
            writes.forEach(write -> make(write).ifPresent(changes::add));
        }
        changes.forEach(this::tell);
        return List.of();
    }

    private Optional<Change> make(Write write) {
        String before = write.value().isPresent()
                ? of(write.map()).put(write.key(), write.value().get())
                : of(write.map()).remove(write.key());
        return write.value().isPresent() || before != null
                ? Optional.of(new Change(write.map(), write.key(), write.value()))
                : Optional.empty();
    }

    private void fail(Fault fault, List<Write> writes) {
        int made = switch (fault) {
            case REFUSED -> 0;
            case TORN -> writes.size() / 2;
            case UNANSWERED -> writes.size();
        };
        writes.subList(0, made).forEach(this::make);
        throw new StoreUnavailableException("the store failed: " + fault);
    }

    private static void requireDifferentKeys(List<Write> writes) {
        long keys = writes.stream()
                .map(write -> Map.entry(write.map(), write.key()))
                .distinct()
                .count();
        if (keys != writes.size()) {
            throw new IllegalArgumentException("two writes of one key");
        }
    }

    @Override
    public Subscription onChange(String map, Consumer<Change> listener) {
        List<Consumer<Change>> list = listeners.computeIfAbsent(map, m -> new CopyOnWriteArrayList<>());
        list.add(listener);
        return () -> list.remove(listener);
    }

    private void others() {
        Runnable written = meanwhile;
        meanwhile = () -> {};
        written.run();
    }

    private void write() {
        if (failure != null) {
            throw failure;
        }
        writes.incrementAndGet();
    }

    private void tell(Change change) {
        listeners.getOrDefault(change.map(), List.of()).forEach(listener -> listener.accept(change));
    }

    private SortedMap<String, String> of(String map) {
        return maps.computeIfAbsent(map, m -> new TreeMap<>());
    }
}
