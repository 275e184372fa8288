// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.sextant.core.intent.Exporter;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.install.TrackedIntent;

/**
 * Values that intents export under names, and their followers ({@link IntentKind#offersUnder}): looser than {@link OwnerReferences}, as
 * no exporter has to be there, and no intent waits for another.
 */
final class Exports {
    /** Read by any thread. */
    private final Map<String, SortedMap<IntentRef, Object>> byName = new ConcurrentHashMap<>();

    private final Map<String, Map<IntentRef, TrackedIntent>> followers = new HashMap<>();

    /** The names under which an intent is in the maps above. */
    private final Map<IntentRef, Set<String>> names = new HashMap<>();

    /** Names whose exports differ from those that their followers were compiled with. */
    private final Set<String> changed = new HashSet<>();

    /** Sets the intent's plan. */
    void shown(TrackedIntent intent, Plan plan) {
        Map<String, Object> offered = of(intent, plan);
        Set<String> followed = intent.kind().follows(intent.numbered().intent());
        Set<String> before = names.getOrDefault(intent.ref(), Set.of());
        if (before.isEmpty() && offered.isEmpty() && followed.isEmpty()) {
            return;
        }
        for (String name : before) {
            if (!offered.containsKey(name)) {
                withdraw(intent.ref(), name);
            }
            followers.getOrDefault(name, new HashMap<>()).remove(intent.ref());
        }
        offered.forEach((name, offer) -> {
            Object was = byName.computeIfAbsent(name, none -> new ConcurrentSkipListMap<>())
                    .put(intent.ref(), offer);
            if (!offer.equals(was)) {
                changed.add(name);
            }
        });
        followed.forEach(
                name -> followers.computeIfAbsent(name, none -> new HashMap<>()).put(intent.ref(), intent));
        Set<String> all = new HashSet<>(offered.keySet());
        all.addAll(followed);
        if (all.isEmpty()) {
            names.remove(intent.ref());
        } else {
            names.put(intent.ref(), all);
        }
    }

    /** The exports of an intent with this plan, by name. */
    Map<String, Object> of(TrackedIntent intent, Plan plan) {
        return plan.feasible() ? intent.kind().offersUnder(intent.numbered(), plan) : Map.of();
    }

    /** The intent is there no more. */
    void gone(TrackedIntent intent) {
        for (String name : Objects.requireNonNullElse(names.remove(intent.ref()), Set.<String>of())) {
            withdraw(intent.ref(), name);
            followers.getOrDefault(name, new HashMap<>()).remove(intent.ref());
        }
    }

    private void withdraw(IntentRef ref, String name) {
        SortedMap<IntentRef, Object> offers = byName.get(name);
        if (offers != null && offers.remove(ref) != null) {
            changed.add(name);
            if (offers.isEmpty()) {
                byName.remove(name);
            }
        }
    }

    /** The exports under a name, in the order of the ids of their intents; any thread may call it. */
    List<Exporter> under(String name) {
        return byName.getOrDefault(name, Collections.emptySortedMap()).entrySet().stream()
                .map(offer -> new Exporter(offer.getKey(), offer.getValue()))
                .toList();
    }

    /** The followers of changed names, in the order of precedence; they are to be compiled again. */
    SortedSet<TrackedIntent> concerned() {
        SortedSet<TrackedIntent> concerned = followers(changed);
        changed.clear();
        return concerned;
    }

    /** The followers of any of these names, in the order of precedence. */
    SortedSet<TrackedIntent> followers(Set<String> offered) {
        SortedSet<TrackedIntent> all = new TreeSet<>();
        offered.forEach(
                name -> all.addAll(followers.getOrDefault(name, Map.of()).values()));
        return all;
    }
}
