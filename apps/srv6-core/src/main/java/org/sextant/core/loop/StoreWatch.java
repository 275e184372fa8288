// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.sextant.core.port.Store;
import org.sextant.core.port.StoreUnavailableException;

/**
 * Follows the changes of a map that the store reports. Events may be late and out of order: the store's values count,
 * which are read for many keys at once. A store that does not answer is read again, and no key is dropped meanwhile.
 * Touched by the engine's thread only, but for {@link #uncertain}.
 */
public final class StoreWatch {
    private final Store store;
    private final StoreCalls calls;
    private final String map;
    private final EventLoop thread;
    private final Duration retryDelay;
    private final BiConsumer<String, Optional<String>> follow;

    /** Keys for which the store reported another value than is known here. */
    private final Set<String> changed = new LinkedHashSet<>();

    /** Keys of a failed commit, which may have been made; other threads may query them. */
    private final Set<String> uncertain = ConcurrentHashMap.newKeySet();

    private boolean waiting;

    /** The last reading failed, and the pause after it is not over. */
    private boolean unanswered;

    /** @param follow receives a key and its present value */
    StoreWatch(
            Store store,
            StoreCalls calls,
            String map,
            EventLoop thread,
            Duration retryDelay,
            BiConsumer<String, Optional<String>> follow) {
        this.store = store;
        this.calls = calls;
        this.map = map;
        this.thread = thread;
        this.retryDelay = retryDelay;
        this.follow = follow;
    }

    public void changed(String key) {
        changed.add(key);
    }

    /** As {@link #changed}, for a store that refused something: it is read after a while. */
    public void changedLater(String key) {
        changed.add(key);
        pause();
    }

    /** A commit that writes a key failed: the store's value is unknown until it is read. */
    void doubt(String key) {
        uncertain.add(key);
        changedLater(key);
    }

    boolean certain() {
        return uncertain.isEmpty();
    }

    boolean uncertain(String key) {
        return uncertain.contains(key);
    }

    /** True while it is no use to read again before the pause is over. */
    boolean unanswered() {
        return unanswered;
    }

    boolean behind() {
        return !waiting && !changed.isEmpty();
    }

    /**
     * Reads the changed keys, also if the read is delayed otherwise. If the answer is late, it is taken when it comes.
     */
    void catchUp() {
        List<String> keys = List.copyOf(changed);
        SortedMap<String, String> now;
        try {
            now = calls.call(StoreQuestion.values(store, map, keys), Duration.ZERO, answer -> take(keys, answer));
        } catch (StoreLateException e) {
            if (e.asked()) {
                keys.forEach(changed::remove); // later changes are read again
            }
            return;
        } catch (RuntimeException e) {
            failed(e);
            return;
        }
        keys.forEach(changed::remove);
        take(keys, now);
    }

    private void take(List<String> keys, Answer<SortedMap<String, String>> late) {
        SortedMap<String, String> now;
        try {
            now = late.get();
        } catch (RuntimeException e) {
            changed.addAll(keys);
            failed(e);
            return;
        }
        take(keys, now);
    }

    private void take(List<String> keys, SortedMap<String, String> now) {
        unanswered = false;
        waiting = false;
        Deque<String> left = new ArrayDeque<>(keys);
        try {
            while (!left.isEmpty()) {
                String key = left.remove();
                try {
                    follow.accept(key, Optional.ofNullable(now.get(key)));
                } finally {
                    uncertain.remove(key);
                }
            }
        } finally {
            changed.addAll(left);
        }
    }

    private void failed(RuntimeException e) {
        unanswered = true;
        pause();
        if (!(e instanceof StoreUnavailableException)) {
            throw e;
        }
    }

    private void pause() {
        if (!waiting) {
            waiting = true;
            thread.after("store retry " + map, retryDelay, () -> {
                waiting = false;
                unanswered = false;
            });
        }
    }
}
