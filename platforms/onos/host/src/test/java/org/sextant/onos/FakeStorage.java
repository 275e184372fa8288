// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.onosproject.store.primitives.DefaultConsistentMap;
import org.onosproject.store.service.AsyncConsistentMap;
import org.onosproject.store.service.AsyncConsistentMapAdapter;
import org.onosproject.store.service.AsyncIterator;
import org.onosproject.store.service.ConsistentMap;
import org.onosproject.store.service.ConsistentMapBuilder;
import org.onosproject.store.service.MapEvent;
import org.onosproject.store.service.MapEventListener;
import org.onosproject.store.service.StorageException;
import org.onosproject.store.service.StorageServiceAdapter;
import org.onosproject.store.service.Versioned;

/**
 * One controller's way to storage nodes that several controllers share: each operation on one key is atomic and none on
 * two is, as in ONOS. The way can end before a given operation, and be there again.
 */
final class FakeStorage extends StorageServiceAdapter {
    /** Raft entries are not longer: ONOS's default. */
    static final int LONGEST = 1 << 20;

    /** The content of the storage nodes, whether controllers are there or not. */
    static final class Nodes {
        private final Map<String, Map<String, Versioned<String>>> maps = new TreeMap<>();
        private final Map<String, Map<MapEventListener<String, String>, Executor>> listeners = new TreeMap<>();
        private long version;

        synchronized Map<String, String> values(String map) {
            Map<String, String> values = new TreeMap<>();
            of(map).forEach((key, value) -> values.put(key, value.value()));
            return values;
        }

        private Map<String, Versioned<String>> of(String map) {
            return maps.computeIfAbsent(map, name -> new TreeMap<>());
        }
    }

    /** How the way ends. */
    enum End {
        /** Calls fail at once. */
        REFUSED,
        /** Calls are not answered. */
        SILENT,
        /** The first call takes effect, but its answer is lost, as all that follow. */
        ANSWER_LOST
    }

    private final Nodes nodes;
    private final AtomicLong asked = new AtomicLong();
    private volatile long endsAt = Long.MAX_VALUE;
    private volatile End end = End.REFUSED;

    private volatile long interruptAt = Long.MAX_VALUE;
    private volatile Runnable interruption = () -> {};

    /** Asks and is answered, but is not notified. */
    volatile boolean deaf;

    /** Runs {@code action}, of another controller, before one of the next operations of this one. */
    void before(long operations, Runnable action) {
        interruptAt = asked.get() + operations;
        interruption = action;
    }

    /** By map: an action that happens once, when its entries have been read. */
    final Map<String, Runnable> afterReading = new ConcurrentHashMap<>();

    FakeStorage(Nodes nodes) {
        this.nodes = nodes;
    }

    /** How many operations were asked for so far. */
    long asked() {
        return asked.get();
    }

    /** After {@code operations} more the way ends. */
    void endAfter(long operations, End how) {
        end = how;
        endsAt = asked.get() + operations;
    }

    void mend() {
        endsAt = Long.MAX_VALUE;
    }

    private <T> CompletableFuture<T> operation(Supplier<T> operation) {
        long number = asked.getAndIncrement();
        if (number == interruptAt) {
            interruption.run();
        }
        if (number < endsAt) {
            synchronized (nodes) {
                return CompletableFuture.completedFuture(operation.get());
            }
        }
        if (end == End.ANSWER_LOST && number == endsAt) {
            synchronized (nodes) {
                var unused = operation.get();
            }
        }
        return end == End.REFUSED
                ? CompletableFuture.failedFuture(new StorageException.Unavailable())
                : new CompletableFuture<>();
    }

    @Override
    public <K, V> ConsistentMapBuilder<K, V> consistentMapBuilder() {
        return new ConsistentMapBuilder<>() {
            @Override
            public ConsistentMap<K, V> build() {
                return new DefaultConsistentMap<>(buildAsyncMap(), 2_000);
            }

            @Override
            @SuppressWarnings("unchecked")
            public AsyncConsistentMap<K, V> buildAsyncMap() {
                return (AsyncConsistentMap<K, V>) new FakeMap(name());
            }
        };
    }

    private final class FakeMap extends AsyncConsistentMapAdapter<String, String> {
        private final String name;

        FakeMap(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public CompletableFuture<Versioned<String>> get(String key) {
            return operation(() -> nodes.of(name).get(key));
        }

        @Override
        public CompletableFuture<Versioned<String>> put(String key, String value) {
            return operation(() -> set(key, value));
        }

        @Override
        public CompletableFuture<Versioned<String>> putIfAbsent(String key, String value) {
            return operation(() -> {
                Versioned<String> there = nodes.of(name).get(key);
                return there == null ? set(key, value) : there;
            });
        }

        @Override
        public CompletableFuture<Versioned<String>> remove(String key) {
            return operation(() -> set(key, null));
        }

        @Override
        public CompletableFuture<Boolean> remove(String key, long version) {
            return operation(() -> setIf(key, version, null));
        }

        @Override
        public CompletableFuture<Boolean> replace(String key, long version, String value) {
            return operation(() -> setIf(key, version, value));
        }

        private boolean setIf(String key, long version, String value) {
            Versioned<String> there = nodes.of(name).get(key);
            if (there == null || there.version() != version) {
                return false;
            }
            set(key, value);
            return true;
        }

        private Versioned<String> set(String key, String value) {
            if (value != null && value.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
                throw new IllegalArgumentException("an entry of more than " + LONGEST + " bytes");
            }
            Versioned<String> now = value == null ? null : new Versioned<>(value, ++nodes.version);
            Versioned<String> before =
                    now == null ? nodes.of(name).remove(key) : nodes.of(name).put(key, now);
            if (!Objects.equals(Versioned.valueOrNull(before), value)) {
                MapEvent<String, String> event = new MapEvent<>(name, key, now, before);
                nodes.listeners
                        .getOrDefault(name, Map.of())
                        .forEach((listener, executor) -> executor.execute(() -> listener.event(event)));
            }
            return before;
        }

        @Override
        public CompletableFuture<AsyncIterator<Map.Entry<String, Versioned<String>>>> iterator() {
            return operation(() -> {
                Walk read = new Walk(List.copyOf(nodes.of(name).entrySet()).iterator());
                Optional.ofNullable(afterReading.remove(name)).ifPresent(Runnable::run);
                return read;
            });
        }

        @Override
        public CompletableFuture<Set<Map.Entry<String, Versioned<String>>>> entrySet() {
            return operation(() -> Set.copyOf(nodes.of(name).entrySet()));
        }

        @Override
        public CompletableFuture<Void> addListener(MapEventListener<String, String> listener, Executor executor) {
            return operation(() -> {
                nodes.listeners
                        .computeIfAbsent(name, map -> new LinkedHashMap<>())
                        // A controller that cannot ask is not notified either.
                        .put(listener, task -> executor.execute(asked.get() < endsAt && !deaf ? task : () -> {}));
                return null;
            });
        }

        @Override
        public CompletableFuture<Void> removeListener(MapEventListener<String, String> listener) {
            return operation(() -> {
                nodes.listeners.getOrDefault(name, new TreeMap<>()).remove(listener);
                return null;
            });
        }
    }

    private record Walk(Iterator<Map.Entry<String, Versioned<String>>> entries)
            implements AsyncIterator<Map.Entry<String, Versioned<String>>> {

        @Override
        public CompletableFuture<Boolean> hasNext() {
            return CompletableFuture.completedFuture(entries.hasNext());
        }

        @Override
        public CompletableFuture<Map.Entry<String, Versioned<String>>> next() {
            return CompletableFuture.completedFuture(entries.next());
        }
    }
}
