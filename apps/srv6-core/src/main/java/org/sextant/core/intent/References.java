// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Shows intents to those that refer to them, and knows who saw something else than there is now. What an intent does is of no
 * concern to them, only what it offers: a slice that takes another path has its list changed, and none of its hundred
 * thousand sessions is looked at. Touched by the engine's thread only.
 */
final class References {
    private final Registry registry;

    /** What those saw that refer to an intent; empty if it was not there. */
    private final Map<IntentRef, Optional<Referred>> seen = new HashMap<>();

    /** What may have become something else since. */
    private final Set<IntentRef> changed = new LinkedHashSet<>();

    References(Registry registry) {
        this.registry = registry;
    }

    /** As a compiler sees it: as others saw it, until they are compiled again. */
    Optional<Referred> look(IntentRef ref) {
        return registry.referers(ref).isEmpty() ? now(ref) : seen.computeIfAbsent(ref, this::now);
    }

    /** As a compiler sees it while a bulk is taken in: as it has become, also by what the bulk has changed before. */
    Optional<Referred> latest(IntentRef ref) {
        return changed.contains(ref) ? now(ref) : look(ref);
    }

    /** Those who refer to an intent, in no order. */
    Set<Tracked> to(IntentRef ref) {
        return registry.referers(ref);
    }

    private Optional<Referred> now(IntentRef ref) {
        return registry.find(ref)
                .filter(intent -> intent.plan != null)
                .map(intent -> Referred.by(intent.intent, intent.plan));
    }

    /** An intent came, went, or may offer something else. */
    void changed(IntentRef ref) {
        if (registry.referers(ref).isEmpty()) {
            seen.remove(ref);
        } else {
            changed.add(ref);
        }
    }

    /** Those who saw something else than there is now, in the order of precedence; they are to be compiled again. */
    SortedSet<Tracked> concerned() {
        SortedSet<Tracked> concerned = new TreeSet<>();
        for (IntentRef ref : changed) {
            Optional<Referred> now = now(ref);
            if (!now.equals(seen.put(ref, now))) {
                concerned.addAll(registry.referers(ref));
            }
        }
        changed.clear();
        return concerned;
    }
}
