// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
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
import java.util.stream.Collectors;
import org.onosproject.store.service.AsyncConsistentMap;
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

    /**
     * One write is made by comparing and setting it. Several of one map are one batch, whose conditions are judged just
     * before it is written. Several maps change one after the other, in the order of the writes: a crash leaves a
     * prefix of them, and so does a key that another controller changes after the conditions were judged, if it alone
     * changes in its map.
     */
    @Override
    public List<Write> commit(List<Write> writes) {
        requireDifferentKeys(writes);
        if (writes.size() == 1) {
            return single(writes.get(0)) ? List.of() : writes;
        }
        Map<String, List<Write>> byMap =
                writes.stream().collect(Collectors.groupingBy(Write::map, LinkedHashMap::new, Collectors.toList()));
        List<Write> unmet = new ArrayList<>();
        byMap.forEach((map, those) -> unmet.addAll(unmet(map, those)));
        Iterator<Map.Entry<String, List<Write>>> each = byMap.entrySet().iterator();
        while (unmet.isEmpty() && each.hasNext()) {
            Map.Entry<String, List<Write>> next = each.next();
            unmet.addAll(write(next.getKey(), next.getValue()));
        }
        return List.copyOf(unmet);
    }

    private static void requireDifferentKeys(List<Write> writes) {
        Set<Map.Entry<String, String>> keys = new HashSet<>();
        for (Write write : writes) {
            if (!keys.add(Map.entry(write.map(), write.key()))) {
                throw new IllegalArgumentException("two writes of " + write.map() + "/" + write.key());
            }
        }
    }

    private List<Write> unmet(String map, List<Write> writes) {
        List<String> asked = writes.stream()
                .filter(write -> !(write.condition() instanceof Condition.Any))
                .map(Write::key)
                .toList();
        Map<String, String> current = asked.isEmpty() ? Map.of() : getAll(map, asked);
        return writes.stream()
                .filter(write -> !write.condition().holds(current.get(write.key())))
                .toList();
    }

    private List<Write> write(String map, List<Write> writes) {
        if (writes.size() == 1) {
            return single(writes.get(0)) ? List.of() : writes;
        }
        SortedMap<String, String> changes = new TreeMap<>();
        writes.forEach(write -> changes.put(write.key(), write.value().orElse(null)));
        batches.write(map, changes);
        return List.of();
    }

    /** False, and nothing changed, if the condition does not hold. */
    private boolean single(Write write) {
        AsyncConsistentMap<String, String> map = storage.map(write.map());
        String key = write.key();
        batches.settle(write.map(), key);
        if (write.condition() instanceof Condition.Any) {
            storage.ask(
                    () -> write.value().isPresent() ? map.put(key, write.value().get()) : map.remove(key));
            return true;
        }
        Versioned<String> there = storage.ask(() -> map.get(key));
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
