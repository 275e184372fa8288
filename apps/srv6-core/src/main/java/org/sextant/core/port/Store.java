// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.port;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Port: durable maps of JSON texts. A call returns when its effect survives a kill -9 and a power cut. */
public interface Store {

    Optional<String> get(String map, String key);

    SortedMap<String, String> all(String map);

    /** The present ones of {@code keys}, with their values. */
    SortedMap<String, String> getAll(String map, Collection<String> keys);

    /**
     * Makes all of {@code writes}, over any number of maps, in one durable step: after a failure or a crash all of them
     * are there, or none. Conditions are evaluated on the store's content before the step.
     *
     * @param writes of different keys
     * @return the writes whose condition does not hold, and then nothing has changed; empty if all of them are durable
     * @throws StoreUnavailableException if it is not known whether they are durable: read the keys again
     */
    List<Write> commit(List<Write> writes);

    /** Reports every change, also those that other controllers make. */
    Subscription onChange(String map, Consumer<Change> listener);

    /** Writes all of {@code values} in one durable step, and reports them by key. */
    default void put(String map, Map<String, String> values) {
        commit(new TreeMap<>(values)
                .entrySet().stream()
                        .map(value -> Write.put(map, value.getKey(), value.getValue()))
                        .toList());
    }

    /** Writes only if the key is new; false, and no change, if it exists. */
    default boolean putIfAbsent(String map, String key, String value) {
        return commit(List.of(Write.create(map, key, value))).isEmpty();
    }

    /** Writes only if the key holds {@code expected}; false, and no change, if it holds anything else, or nothing. */
    default boolean replace(String map, String key, String expected, String value) {
        return commit(List.of(Write.replace(map, key, expected, value))).isEmpty();
    }

    /** False if there was nothing. */
    default boolean remove(String map, String key) {
        return commit(List.of(Write.delete(map, key))).isEmpty();
    }

    /** Removes the key only if it holds {@code expected}; false, and no change, if it holds anything else, or nothing. */
    default boolean remove(String map, String key, String expected) {
        return commit(List.of(Write.delete(map, key, expected))).isEmpty();
    }

    /** Removes all of {@code keys} that are there in one durable step. */
    default void removeAll(String map, Collection<String> keys) {
        commit(keys.stream().distinct().map(key -> Write.clear(map, key)).toList());
    }

    /** The new value, or empty if the key was removed. */
    record Change(String map, String key, Optional<String> value) {}

    /** A condition on the current value of a key, without which a write is not made. */
    sealed interface Condition {
        boolean holds(@Nullable String current);

        /** No condition. */
        record Any() implements Condition {
            @Override
            public boolean holds(@Nullable String current) {
                return true;
            }
        }

        /** The key does not exist. */
        record Absent() implements Condition {
            @Override
            public boolean holds(@Nullable String current) {
                return current == null;
            }
        }

        /** The key exists. */
        record Present() implements Condition {
            @Override
            public boolean holds(@Nullable String current) {
                return current != null;
            }
        }

        /** The key holds exactly this value. */
        record Holds(String value) implements Condition {
            @Override
            public boolean holds(@Nullable String current) {
                return value.equals(current);
            }
        }
    }

    /**
     * A change of one key.
     *
     * @param value the new value; empty: the key is removed
     */
    record Write(String map, String key, Optional<String> value, Condition condition) {

        public static Write put(String map, String key, String value) {
            return new Write(map, key, Optional.of(value), new Condition.Any());
        }

        public static Write create(String map, String key, String value) {
            return new Write(map, key, Optional.of(value), new Condition.Absent());
        }

        public static Write replace(String map, String key, String expected, String value) {
            return new Write(map, key, Optional.of(value), new Condition.Holds(expected));
        }

        /** Removes the key, which must exist. */
        public static Write delete(String map, String key) {
            return new Write(map, key, Optional.empty(), new Condition.Present());
        }

        public static Write delete(String map, String key, String expected) {
            return new Write(map, key, Optional.empty(), new Condition.Holds(expected));
        }

        /** Removes the key if it exists. */
        public static Write clear(String map, String key) {
            return new Write(map, key, Optional.empty(), new Condition.Any());
        }
    }
}
