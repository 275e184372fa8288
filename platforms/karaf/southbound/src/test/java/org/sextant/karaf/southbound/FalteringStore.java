// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.port.Store;
import org.sextant.core.port.Subscription;

/** A store whose writes can fail in any way, errors included. */
final class FalteringStore implements Store {
    private final FakeStore store = new FakeStore();

    /** Runs before each write, which fails with whatever it throws. */
    volatile Consumer<Map<String, String>> beforePut = entries -> {};

    @Override
    public Optional<String> get(String map, String key) {
        return store.get(map, key);
    }

    @Override
    public SortedMap<String, String> all(String map) {
        return store.all(map);
    }

    @Override
    public SortedMap<String, String> getAll(String map, Collection<String> keys) {
        return store.getAll(map, keys);
    }

    @Override
    public void put(String map, Map<String, String> values) {
        beforePut.accept(values);
        store.put(map, values);
    }

    @Override
    public boolean putIfAbsent(String map, String key, String value) {
        beforePut.accept(Map.of(key, value));
        return store.putIfAbsent(map, key, value);
    }

    @Override
    public boolean remove(String map, String key) {
        return store.remove(map, key);
    }

    @Override
    public void removeAll(String map, Collection<String> keys) {
        store.removeAll(map, keys);
    }

    @Override
    public Subscription onChange(String map, Consumer<Change> listener) {
        return store.onChange(map, listener);
    }
}
