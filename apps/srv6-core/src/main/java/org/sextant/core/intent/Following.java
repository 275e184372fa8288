// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import org.sextant.core.port.Store;
import org.sextant.core.port.StoreUnavailableException;

/**
 * Follows what the store tells about a map. Events may be late and out of order: what counts is what the store has when
 * it is asked, once for many keys. A store that does not answer is asked again, and no key is forgotten meanwhile.
 * Touched by the engine's thread only.
 */
final class Following {
    private final Store store;
    private final String map;
    private final EngineThread thread;
    private final Duration retryDelay;
    private final BiConsumer<String, Optional<String>> follow;

    /** Keys of which the store told something else than is known here. */
    private final Set<String> changed = new LinkedHashSet<>();

    private boolean waiting;

    /** @param follow is given a key and what the store has of it now */
    Following(
            Store store,
            String map,
            EngineThread thread,
            Duration retryDelay,
            BiConsumer<String, Optional<String>> follow) {
        this.store = store;
        this.map = map;
        this.thread = thread;
        this.retryDelay = retryDelay;
        this.follow = follow;
    }

    void told(String key) {
        changed.add(key);
    }

    boolean behind() {
        return !waiting && !changed.isEmpty();
    }

    /** Called when the messages at hand are dealt with. */
    void catchUp() {
        List<String> keys = List.copyOf(changed);
        try {
            SortedMap<String, String> now = store.getAll(map, keys);
            for (String key : keys) {
                changed.remove(key);
                follow.accept(key, Optional.ofNullable(now.get(key)));
            }
        } catch (StoreUnavailableException e) {
            waiting = true;
            thread.postAfter(retryDelay, () -> waiting = false);
        }
    }
}
