// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

import com.fasterxml.jackson.core.type.TypeReference;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.sextant.core.port.Store;

/** Calls of a store. */
public final class StoreQuestion {
    private static final TypeReference<SortedMap<String, String>> VALUES = new TypeReference<>() {};
    private static final TypeReference<List<Store.Write>> UNMET = new TypeReference<>() {};

    private StoreQuestion() {}

    /** The values of those {@code keys} that are there. */
    public static Call<SortedMap<String, String>> values(Store store, String map, Collection<String> keys) {
        List<String> asked = List.copyOf(keys);
        return Call.outside("store read " + map, asked, VALUES, () -> store.getAll(map, asked));
    }

    /** All values of a map. */
    public static Call<SortedMap<String, String>> all(Store store, String map) {
        return Call.outside("store read " + map, "all", VALUES, () -> store.all(map));
    }

    /** All values of a map after a commit, whether it is made or not. */
    public static Call<SortedMap<String, String>> allAfter(Store store, String map, List<Store.Write> writes) {
        return Call.outside("store commit", List.copyOf(writes), VALUES, () -> {
            store.commit(writes);
            return store.all(map);
        });
    }

    /** The values of those {@code keys} that are there, after a commit, whether it is made or not. No writes: no commit. */
    public static Call<SortedMap<String, String>> valuesAfter(
            Store store, String map, List<Store.Write> writes, Collection<String> keys) {
        List<String> asked = List.copyOf(keys);
        return Call.outside("store commit", List.of(writes, asked), VALUES, () -> {
            if (!writes.isEmpty()) {
                store.commit(writes);
            }
            return store.getAll(map, asked);
        });
    }

    /** The writes of a commit whose condition does not hold. */
    public static Call<List<Store.Write>> commit(Store store, List<Store.Write> writes) {
        List<Store.Write> asked = List.copyOf(writes);
        Supplier<List<Store.Write>> question = () -> store.commit(asked);
        return Call.outside("store commit", asked, UNMET, question);
    }
}
