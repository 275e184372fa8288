// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.onosproject.store.service.Versioned;
import org.sextant.core.port.Store;
import org.sextant.core.port.StoreUnavailableException;
import org.sextant.core.port.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * JSON texts in ONOS's consistent maps: acknowledged when a majority of the cluster has them on disk. One key changes in
 * its map; several do so by a {@linkplain Batches batch}, so that all of them do or none.
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

    /** Carries out what controllers that died, or were cut off, did not: at the start, and when one is gone. */
    void settle() {
        try {
            batches.settleAll();
        } catch (StoreUnavailableException e) {
            LOG.debug("what controllers left is carried out when the storage answers");
        }
    }

    /** As {@link #settle}, and tells what others changed while this controller could not hear of it. */
    void catchUp() {
        settle();
        try {
            watches.forEach(MapWatch::catchUp);
        } catch (StoreUnavailableException e) {
            LOG.debug("what was missed is told when the storage answers");
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
        return under(map, () -> storage.read(map), Batches.Batch::changes);
    }

    @Override
    public SortedMap<String, String> getAll(String map, Collection<String> keys) {
        List<String> wanted = List.copyOf(keys);
        return under(map, () -> some(map, wanted), batch -> {
            SortedMap<String, String> changes = new TreeMap<>(batch.changes());
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

    @Override
    public void put(String map, Map<String, String> values) {
        if (values.size() == 1) {
            values.forEach((key, value) -> {
                batches.settle(map, key);
                storage.ask(() -> storage.map(map).put(key, value));
            });
        } else if (!values.isEmpty()) {
            batches.write(map, new TreeMap<>(values));
        }
    }

    @Override
    public boolean putIfAbsent(String map, String key, String value) {
        batches.settle(map, key);
        return storage.ask(() -> storage.map(map).putIfAbsent(key, value)) == null;
    }

    @Override
    public boolean replace(String map, String key, String expected, String value) {
        batches.settle(map, key);
        Versioned<String> there = storage.ask(() -> storage.map(map).get(key));
        return there != null
                && there.value().equals(expected)
                && storage.ask(() -> storage.map(map).replace(key, there.version(), value));
    }

    @Override
    public boolean remove(String map, String key) {
        batches.settle(map, key);
        return storage.ask(() -> storage.map(map).remove(key)) != null;
    }

    @Override
    public boolean remove(String map, String key, String expected) {
        batches.settle(map, key);
        Versioned<String> there = storage.ask(() -> storage.map(map).get(key));
        return there != null
                && there.value().equals(expected)
                && storage.ask(() -> storage.map(map).remove(key, there.version()));
    }

    @Override
    public void removeAll(String map, Collection<String> keys) {
        if (keys.size() == 1) {
            remove(map, keys.iterator().next());
        } else if (!keys.isEmpty()) {
            SortedMap<String, String> gone = new TreeMap<>();
            keys.forEach(key -> gone.put(key, null));
            batches.write(map, gone);
        }
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
            String map,
            Supplier<SortedMap<String, Versioned<String>>> reading,
            Function<Batches.Batch, SortedMap<String, String>> changes) {
        Optional<Batches.Batch> before = batches.find(map);
        while (true) {
            SortedMap<String, Versioned<String>> entries = reading.get();
            Optional<Batches.Batch> after = batches.find(map);
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
