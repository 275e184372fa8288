// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.onosproject.store.service.AsyncConsistentMap;
import org.onosproject.store.service.Versioned;
import org.sextant.core.port.Store;
import org.sextant.core.port.StoreUnavailableException;
import org.sextant.core.port.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * JSON texts in ONOS's consistent maps: acknowledged when a majority of the cluster has them on disk. One key changes in
 * its map; several, of one map or of many, do so by a {@linkplain Batches batch}, so that all of them do or none.
 */
final class OnosStore implements Store {
    private static final Logger LOG = LoggerFactory.getLogger(OnosStore.class);

    private final Storage storage;
    private final Batches batches;
    private final List<MapWatch> watches = new CopyOnWriteArrayList<>();
    private volatile Runnable afterCatchingUp = () -> {};

    /** @param self this controller's name, which no other has */
    OnosStore(Storage storage, String self) {
        this.storage = storage;
        this.batches = new Batches(storage, self);
        storage.whenBack(this::catchUp);
    }

    /**
     * Carries out batches that controllers which died, or were cut off, did not: at the start, and when one is gone.
     */
    void settle() {
        try {
            batches.settleAll();
        } catch (StoreUnavailableException e) {
            LOG.debug("what controllers left is carried out when the storage answers");
        }
    }

    /** As {@link #settle}, and reports changes by others while this controller was cut off. */
    void catchUp() {
        settle();
        try {
            watches.forEach(MapWatch::catchUp);
        } catch (StoreUnavailableException e) {
            LOG.debug("missed changes are reported when the storage answers");
        }
        afterCatchingUp.run();
    }

    /** @param action runs on the background's thread */
    void afterCatchingUp(Runnable action) {
        afterCatchingUp = action;
    }

    @Override
    public Optional<String> get(String map, String key) {
        return Optional.ofNullable(getAll(map, List.of(key)).get(key));
    }

    @Override
    public SortedMap<String, String> all(String map) {
        return under(() -> storage.read(map), batch -> batch.of(map));
    }

    @Override
    public SortedMap<String, String> getAll(String map, Collection<String> keys) {
        List<String> wanted = List.copyOf(keys);
        return under(() -> some(map, wanted), batch -> {
            SortedMap<String, String> changes = batch.of(map);
            changes.keySet().retainAll(wanted);
            return changes;
        });
    }

    private SortedMap<String, Versioned<String>> some(String map, List<String> keys) {
        SortedMap<String, Versioned<String>> some = new TreeMap<>();
        Iterator<Versioned<String>> values =
                storage.askAll(keys, storage.map(map)::get).iterator();
        keys.forEach(key -> some.put(key, values.next()));
        return some;
    }

    /** One write is made by comparing and setting it, several are one {@linkplain Batches batch}. */
    @Override
    public List<Write> commit(List<Write> writes) {
        requireDifferentKeys(writes);
        return switch (writes.size()) {
            case 0 -> List.of();
            case 1 -> single(writes.get(0)) ? List.of() : writes;
            default -> batches.write(writes, () -> unmet(writes));
        };
    }

    private static void requireDifferentKeys(List<Write> writes) {
        Set<Map.Entry<String, String>> keys = new HashSet<>();
        for (Write write : writes) {
            if (!keys.add(Map.entry(write.map(), write.key()))) {
                throw new IllegalArgumentException("two writes of " + write.map() + "/" + write.key());
            }
        }
    }

    /** As it is in the maps: no batch is over them when this is judged. */
    private List<Write> unmet(List<Write> writes) {
        List<Write> asked = writes.stream()
                .filter(write -> !(write.condition() instanceof Condition.Any))
                .toList();
        Iterator<Versioned<String>> current = storage.askAll(
                        asked, write -> storage.map(write.map()).get(write.key()))
                .iterator();
        return asked.stream()
                .filter(write -> !write.condition().holds(Versioned.valueOrNull(current.next())))
                .toList();
    }

    /** False, and nothing changed, if the condition does not hold, or another controller's batch has come over it. */
    private boolean single(Write write) {
        AsyncConsistentMap<String, String> map = storage.map(write.map());
        String key = write.key();
        if (write.condition() instanceof Condition.Any) {
            batches.settle(write.map(), key);
            storage.ask(
                    () -> write.value().isPresent() ? map.put(key, write.value().get()) : map.remove(key));
            batches.settle(write.map(), key);
            return true;
        }
        List<Versioned<String>> before;
        do {
            before = storage.askAll(List.of(true, false), judging -> judging ? batches.lastJudging() : map.get(key));
        } while (batches.settle(write.map(), key));
        if (!compareAndSet(map, write, before.get(1))) {
            return false;
        }
        if (!batches.judgedSince(before.get(0))) {
            return true;
        }
        // A batch whose conditions were judged before this may be committed after it.
        batches.settle(write.map(), key);
        return write.value().equals(Optional.ofNullable(Versioned.valueOrNull(storage.ask(() -> map.get(key)))));
    }

    private boolean compareAndSet(
            AsyncConsistentMap<String, String> map, Write write, @Nullable Versioned<String> there) {
        String key = write.key();
        String current = Versioned.valueOrNull(there);
        if (!write.condition().holds(current)) {
            return false;
        }
        if (there == null || current == null) {
            return write.value().isEmpty()
                    || storage.ask(() -> map.putIfAbsent(key, write.value().get())) == null;
        }
        return storage.ask(() -> write.value().isPresent()
                ? map.replace(key, there.version(), write.value().get())
                : map.remove(key, there.version()));
    }

    @Override
    public Subscription onChange(String map, Consumer<Change> listener) {
        MapWatch watch = new MapWatch(storage, map, listener);
        watch.open();
        watches.add(watch);
        AtomicBoolean open = new AtomicBoolean(true);
        return () -> {
            if (open.getAndSet(false)) {
                watches.remove(watch);
                CompletableFuture<Void> gone = storage.map(map).removeListener(watch);
                gone.exceptionally(unreachable -> null);
            }
        };
    }

    /** Reads a map as it is with its batch: one that comes or goes meanwhile makes it read again. */
    private SortedMap<String, String> under(
            Supplier<SortedMap<String, Versioned<String>>> reading,
            Function<Batches.Batch, SortedMap<String, String>> changes) {
        Optional<Batches.Batch> before = batches.find();
        while (true) {
            SortedMap<String, Versioned<String>> entries = reading.get();
            Optional<Batches.Batch> after = batches.find();
            if (before.map(Batches.Batch::version).equals(after.map(Batches.Batch::version))) {
                return over(entries, after.map(changes).orElseGet(TreeMap::new));
            }
            before = after;
        }
    }

    private static SortedMap<String, String> over(
            SortedMap<String, Versioned<String>> entries, SortedMap<String, String> changes) {
        SortedMap<String, String> values = new TreeMap<>();
        entries.forEach((key, value) -> values.put(key, Versioned.valueOrNull(value)));
        values.putAll(changes);
        values.values().removeIf(Objects::isNull);
        return values;
    }
}
