// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.onosproject.store.service.StorageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ONOS's answer about something; while the storage nodes do not answer, its last one: it would wait 15 s for them each
 * time, and the engine and the readers over REST with it.
 */
final class LastKnown<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(LastKnown.class);

    private final BooleanSupplier reachable;
    private final Function<K, Optional<V>> question;
    private final Map<K, Optional<V>> said = new ConcurrentHashMap<>();

    /** @param reachable whether it makes sense to ask ONOS */
    LastKnown(BooleanSupplier reachable, Function<K, Optional<V>> question) {
        this.reachable = reachable;
        this.question = question;
    }

    /** Empty if ONOS never said. */
    Optional<V> of(K key) {
        if (reachable.getAsBoolean()) {
            try {
                said.put(key, question.apply(key));
            } catch (StorageException e) {
                LOG.debug("ONOS does not say more of {} than before: {}", key, e.toString());
            }
        }
        return said.getOrDefault(key, Optional.empty());
    }
}
