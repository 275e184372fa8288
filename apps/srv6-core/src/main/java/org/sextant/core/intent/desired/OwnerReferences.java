// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.ReferencedIntent;
import org.sextant.core.intent.install.IntentIndex;
import org.sextant.core.intent.install.TrackedIntent;

/**
 * Shows intents to those that refer to them, and finds those that were compiled with another value than there is now.
 * Only the exports of an intent concern them, not its forwarding: a slice on another path has its list changed, and
 * none of its hundred thousand sessions is compiled again.
 */
final class OwnerReferences {
    private final IntentIndex registry;

    /** The value that referring intents were compiled with; empty if the intent was not there. */
    private final Map<IntentRef, Optional<ReferencedIntent>> seen = new HashMap<>();

    /** Intents whose value may have changed since. */
    private final Set<IntentRef> changed = new LinkedHashSet<>();

    OwnerReferences(IntentIndex registry) {
        this.registry = registry;
    }

    /**
     * The state of an intent in the view of a compiler: the one that its referers were compiled with, until they are
     * compiled again.
     */
    Optional<ReferencedIntent> look(IntentRef ref) {
        return registry.referers(ref).isEmpty() ? now(ref) : seen.computeIfAbsent(ref, this::now);
    }

    /**
     * The state as a compiler sees it during the admission of a bulk: with the changes that the bulk has made so far.
     */
    Optional<ReferencedIntent> latest(IntentRef ref) {
        return changed.contains(ref) ? now(ref) : look(ref);
    }

    /** The intents that refer to an intent, in no order. */
    Set<TrackedIntent> to(IntentRef ref) {
        return registry.referers(ref);
    }

    /** The reference cycle through the first of {@code refs} that leads back to an intent; empty if none does. */
    Optional<List<IntentRef>> circle(IntentRef intent, Set<IntentRef> refs) {
        Map<IntentRef, List<IntentRef>> ways = new HashMap<>();
        Deque<IntentRef> open = new ArrayDeque<>();
        for (IntentRef ref : refs) {
            ways.put(ref, List.of(ref));
            open.add(ref);
        }
        while (!open.isEmpty()) {
            IntentRef at = open.remove();
            List<IntentRef> way = Objects.requireNonNull(ways.get(at));
            if (at.equals(intent)) {
                return Optional.of(way);
            }
            for (IntentRef next : registry.find(at).map(TrackedIntent::refersTo).orElse(Set.of())) {
                if (!ways.containsKey(next)) {
                    List<IntentRef> longer = new ArrayList<>(way);
                    longer.add(next);
                    ways.put(next, longer);
                    open.add(next);
                }
            }
        }
        return Optional.empty();
    }

    private Optional<ReferencedIntent> now(IntentRef ref) {
        return registry.find(ref)
                .filter(intent -> intent.desired().isDecided())
                .map(intent -> ReferencedIntent.by(intent.kind(), intent.numbered(), intent.plan()));
    }

    /** An intent came, went, or may offer something else. */
    void changed(IntentRef ref) {
        if (registry.referers(ref).isEmpty()) {
            seen.remove(ref);
        } else {
            changed.add(ref);
        }
    }

    /** The intents that were compiled with another value, in the order of precedence; they are to be compiled again. */
    SortedSet<TrackedIntent> concerned() {
        SortedSet<TrackedIntent> concerned = new TreeSet<>();
        for (IntentRef ref : changed) {
            Optional<ReferencedIntent> now = now(ref);
            if (!now.equals(seen.put(ref, now))) {
                concerned.addAll(registry.referers(ref));
            }
        }
        changed.clear();
        return concerned;
    }
}
