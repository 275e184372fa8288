// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.fake;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.sextant.core.port.Store;
import org.sextant.core.port.StoreUnavailableException;
import org.sextant.core.port.Subscription;

/** A store that several engines may share, that can refuse to write, and that outlives the engines of a test. */
public final class FakeStore implements Store {
    private final Map<String, SortedMap<String, String>> maps = new TreeMap<>();
    private final Map<String, List<Consumer<Change>>> listeners = new ConcurrentHashMap<>();
    private final AtomicInteger writes = new AtomicInteger();
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile RuntimeException failure;
    private volatile Runnable meanwhile = () -> {};

    /** From now on every write throws {@code failure}; null: none does. */
    public void failWith(RuntimeException failure) {
        this.failure = failure;
    }

    /** The next {@code times} questions for keys are not answered. */
    public void failReads(int times) {
        unanswered.set(times);
    }

    /** Another controller writes this before the next step of anybody is made, and nobody has heard of it yet. */
    public void meanwhile(String map, String key, String value) {
        meanwhile = () -> of(map).put(key, value);
    }

    /** Another controller has written this, and nobody has heard of it yet. */
    public synchronized void unheard(String map, String key, String value) {
        of(map).put(key, value);
    }

    /** How many durable steps were made. */
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
    public synchronized SortedMap<String, String> getAll(String map, Collection<String> keys) {
        if (unanswered.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new StoreUnavailableException("the store does not answer");
        }
        SortedMap<String, String> some = new TreeMap<>(of(map));
        some.keySet().retainAll(Set.copyOf(keys));
        return some;
    }

    @Override
    public void put(String map, Map<String, String> values) {
        synchronized (this) {
            write();
            of(map).putAll(values);
        }
        values.forEach((key, value) -> tell(new Change(map, key, Optional.of(value))));
    }

    @Override
    public boolean putIfAbsent(String map, String key, String value) {
        synchronized (this) {
            others();
            if (of(map).containsKey(key)) {
                return false;
            }
            write();
            of(map).put(key, value);
        }
        tell(new Change(map, key, Optional.of(value)));
        return true;
    }

    @Override
    public boolean replace(String map, String key, String expected, String value) {
        synchronized (this) {
            others();
            if (!expected.equals(of(map).get(key))) {
                return false;
            }
            write();
            of(map).put(key, value);
        }
        tell(new Change(map, key, Optional.of(value)));
        return true;
    }

    @Override
    public boolean remove(String map, String key) {
        synchronized (this) {
            if (!of(map).containsKey(key)) {
                return false;
            }
            write();
            of(map).remove(key);
        }
        tell(new Change(map, key, Optional.empty()));
        return true;
    }

    @Override
    public boolean remove(String map, String key, String expected) {
        synchronized (this) {
            others();
            if (!expected.equals(of(map).get(key))) {
                return false;
            }
            write();
            of(map).remove(key);
        }
        tell(new Change(map, key, Optional.empty()));
        return true;
    }

    @Override
    public void removeAll(String map, Collection<String> keys) {
        List<String> removed;
        synchronized (this) {
            write();
            removed = keys.stream().filter(key -> of(map).remove(key) != null).toList();
        }
        removed.forEach(key -> tell(new Change(map, key, Optional.empty())));
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
