// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.meter;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The last readings of the intents that were shown recently. Callable from any thread. */
public final class Recent<T> {
    private static final int KEPT = 256;

    private final Map<String, T> last = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, T> eldest) {
            return size() > KEPT;
        }
    };

    /** Empty if it was not read, or many others have been since. */
    public synchronized Optional<T> of(String id) {
        return Optional.ofNullable(last.get(id));
    }

    public synchronized void keep(String id, T reading) {
        last.remove(id);
        last.put(id, reading);
    }
}
