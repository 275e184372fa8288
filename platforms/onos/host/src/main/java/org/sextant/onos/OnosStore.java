// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.onosproject.core.ApplicationId;
import org.onosproject.store.service.ConsistentMap;
import org.onosproject.store.service.MapEventListener;
import org.onosproject.store.service.Serializer;
import org.onosproject.store.service.StorageService;
import org.onosproject.store.service.Versioned;
import org.sextant.core.port.Store;
import org.sextant.core.port.Subscription;

/**
 * JSON texts in ONOS's consistent maps: acknowledged when a majority of the cluster has them on disk. Several keys are
 * written one after the other, in their order; a controller that dies between leaves the first of them.
 */
final class OnosStore implements Store {
    /** A question to the cluster for each key takes as long as reading a map of some hundred. */
    private static final int FEW = 8;

    /** Keys and values are texts: UTF-8 needs no class to stay as it is over an upgrade. */
    private static final Serializer TEXT = new Serializer() {
        @Override
        public <T> byte[] encode(T text) {
            return ((String) text).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        @SuppressWarnings("unchecked")
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
    private final Map<String, ConsistentMap<String, String>> maps = new ConcurrentHashMap<>();

    OnosStore(StorageService storage, ApplicationId app) {
        this.storage = storage;
        this.app = app;
    }

    private ConsistentMap<String, String> map(String name) {
        return maps.computeIfAbsent(name, n -> storage.<String, String>consistentMapBuilder()
                .withName("sextant-" + n)
                .withApplicationId(app)
                .withSerializer(TEXT)
                .build());
    }

    @Override
    public Optional<String> get(String map, String key) {
        return Optional.ofNullable(Versioned.valueOrNull(map(map).get(key)));
    }

    @Override
    public SortedMap<String, String> all(String map) {
        SortedMap<String, String> values = new TreeMap<>();
        map(map).entrySet().forEach(entry -> values.put(entry.getKey(), entry.getValue().value()));
        return values;
    }

    @Override
    public SortedMap<String, String> getAll(String map, Collection<String> keys) {
        if (keys.size() > FEW) {
            SortedMap<String, String> some = new TreeMap<>(all(map));
            some.keySet().retainAll(Set.copyOf(keys));
            return some;
        }
        SortedMap<String, String> some = new TreeMap<>();
        keys.forEach(key -> get(map, key).ifPresent(value -> some.put(key, value)));
        return some;
    }

    @Override
    public void put(String map, Map<String, String> values) {
        new TreeMap<>(values).forEach((key, value) -> map(map).put(key, value));
    }

    @Override
    public boolean putIfAbsent(String map, String key, String value) {
        return map(map).putIfAbsent(key, value) == null;
    }

    @Override
    public boolean remove(String map, String key) {
        return map(map).remove(key) != null;
    }

    @Override
    public void removeAll(String map, Collection<String> keys) {
        keys.forEach(key -> map(map).remove(key));
    }

    @Override
    public Subscription onChange(String map, Consumer<Change> listener) {
        MapEventListener<String, String> heard = event -> {
            // The removal of what was not there is told, too, by some of ONOS's maps.
            if (event.newValue() != null || event.oldValue() != null) {
                listener.accept(new Change(map, event.key(), Optional.ofNullable(Versioned.valueOrNull(event.newValue()))));
            }
        };
        map(map).addListener(heard);
        AtomicBoolean open = new AtomicBoolean(true);
        return () -> {
            if (open.getAndSet(false)) {
                map(map).removeListener(heard);
            }
        };
    }
}
