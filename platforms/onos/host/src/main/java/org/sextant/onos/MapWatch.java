// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.onosproject.store.service.MapEvent;
import org.onosproject.store.service.MapEventListener;
import org.onosproject.store.service.Versioned;
import org.sextant.core.port.Store.Change;

/**
 * Notifies of every change of a map, also of those that ONOS does not report: the session of a controller that is cut
 * off from the storage nodes ends, and changes by others before it has a new one are not reported to it. So it
 * remembers which version of each key it has reported, and compares when it is asked to.
 */
final class MapWatch implements MapEventListener<String, String> {
    private final Storage storage;
    private final String map;
    private final Consumer<Change> listener;
    private final Map<String, Long> told = new HashMap<>();
    /** Keys that went while the map was being read; null when it is not. */
    private @Nullable Set<String> gone;

    MapWatch(Storage storage, String map, Consumer<Change> listener) {
        this.storage = storage;
        this.map = map;
        this.listener = listener;
    }

    /** Existing entries are not reported. */
    void open() {
        storage.ask(() -> storage.map(map).addListener(this, Runnable::run));
        compare(change -> {});
    }

    /** Reports the missed changes. */
    void catchUp() {
        compare(listener);
    }

    private void compare(Consumer<Change> hears) {
        Map<String, Long> before;
        synchronized (this) {
            before = new HashMap<>(told);
            gone = new HashSet<>();
        }
        try {
            tell(before, storage.read(map), hears);
        } finally {
            synchronized (this) {
                gone = null;
            }
        }
    }

    /** Changes reported while the map is read are newer than the content that was read. */
    private synchronized void tell(
            Map<String, Long> before, SortedMap<String, Versioned<String>> found, Consumer<Change> hears) {
        found.forEach((key, value) -> {
            if (isNews(key, value.version()) && (gone == null || !gone.contains(key))) {
                told.put(key, value.version());
                hears.accept(new Change(map, key, Optional.of(value.value())));
            }
        });
        before.forEach((key, version) -> {
            if (!found.containsKey(key) && told.remove(key, version)) {
                hears.accept(new Change(map, key, Optional.empty()));
            }
        });
    }

    private boolean isNews(String key, long version) {
        Long last = told.get(key);
        return last == null || last < version;
    }

    @Override
    public synchronized void event(MapEvent<String, String> event) {
        Versioned<String> now = event.newValue();
        Versioned<String> before = event.oldValue();
        String key = event.key();
        if (now != null) {
            if (isNews(key, now.version())) {
                told.put(key, now.version());
                listener.accept(new Change(map, key, Optional.of(now.value())));
            }
        } else if (before != null && !isAfter(key, before.version())) {
            // Some of ONOS's maps also report the removal of an entry that was not there.
            told.remove(key);
            if (gone != null) {
                gone.add(key);
            }
            listener.accept(new Change(map, key, Optional.empty()));
        }
    }

    /** True if the key was there again later, and that was reported. */
    private boolean isAfter(String key, long version) {
        Long last = told.get(key);
        return last != null && last > version;
    }
}
