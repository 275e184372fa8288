// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.sextant.core.port.Store;
import org.sextant.core.port.Subscription;

/** As much of a store as the southbound uses. */
final class MemoryStore implements Store {
    private final SortedMap<String, String> values = new TreeMap<>();

    @Override
    public synchronized Optional<String> get(String map, String key) {
        return Optional.ofNullable(values.get(map + "/" + key));
    }

    @Override
    public synchronized void put(String map, Map<String, String> entries) {
        entries.forEach((key, value) -> values.put(map + "/" + key, value));
    }

    @Override
    public SortedMap<String, String> all(String map) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean putIfAbsent(String map, String key, String value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean remove(String map, String key) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Subscription onChange(String map, Consumer<Change> listener) {
        throw new UnsupportedOperationException();
    }
}
