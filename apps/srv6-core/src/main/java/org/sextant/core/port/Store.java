// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.port;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;

/** Port: durable maps of JSON texts. A call returns when its effect survives a kill -9. */
public interface Store {

    Optional<String> get(String map, String key);

    SortedMap<String, String> all(String map);

    /** Those of {@code keys} that are there. */
    SortedMap<String, String> getAll(String map, Collection<String> keys);

    /** Writes all of {@code values} in one durable step: after a failure or a crash all of them are there, or none. */
    void put(String map, Map<String, String> values);

    /** Writes only if the key is new; false, and no change, if it exists. */
    boolean putIfAbsent(String map, String key, String value);

    /** Writes only if the key holds {@code expected}; false, and no change, if it holds anything else, or nothing. */
    boolean replace(String map, String key, String expected, String value);

    /** False if there was nothing. */
    boolean remove(String map, String key);

    /** Removes the key only if it holds {@code expected}; false, and no change, if it holds anything else, or nothing. */
    boolean remove(String map, String key, String expected);

    /** Removes all of {@code keys} that are there in one durable step, as {@link #put} writes. */
    void removeAll(String map, Collection<String> keys);

    /** Tells of every change, also of those that other controllers make. */
    Subscription onChange(String map, Consumer<Change> listener);

    /** The new value, or empty if the key was removed. */
    record Change(String map, String key, Optional<String> value) {}
}
