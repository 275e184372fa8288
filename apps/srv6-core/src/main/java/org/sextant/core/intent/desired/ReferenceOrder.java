// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.install.TrackedIntent;

/**
 * The order of a list of intents in which each comes after those of the list that it refers to; otherwise they stay as they are listed.
 * References in a loop are left to the compiler, which refuses them.
 */
final class ReferenceOrder {
    private final List<AdmissionRequest.Item> items;
    private final Map<IntentRef, Integer> places = new HashMap<>();
    private final Set<Integer> ordered = new LinkedHashSet<>();
    private final Set<Integer> entered = new LinkedHashSet<>();

    private ReferenceOrder(List<AdmissionRequest.Item> items) {
        this.items = items;
    }

    /** The places of all items. */
    static List<Integer> of(List<AdmissionRequest.Item> items) {
        ReferenceOrder order = new ReferenceOrder(items);
        for (int place = 0; place < items.size(); place++) {
            int here = place;
            order.ref(items.get(place)).ifPresent(ref -> order.places.put(ref, here));
        }
        for (int place = 0; place < items.size(); place++) {
            order.visit(place);
        }
        return List.copyOf(order.ordered);
    }

    /** Empty for a new intent whose id is not known before it is admitted. */
    private Optional<IntentRef> ref(AdmissionRequest.Item item) {
        TrackedIntent existing = item.kind().same(item.intent());
        return existing == null
                ? item.kind()
                        .kind
                        .suggestedId(item.intent())
                        .map(id -> new IntentRef(item.kind().kind.name(), id))
                : Optional.of(existing.ref());
    }

    /** Depth first, without recursion: a list may be one chain. */
    private void visit(int first) {
        List<Integer> path = new ArrayList<>(List.of(first));
        while (!path.isEmpty()) {
            int place = path.get(path.size() - 1);
            entered.add(place);
            Optional<Integer> before = missing(place);
            if (before.isPresent()) {
                path.add(before.get());
            } else {
                ordered.add(place);
                path.remove(path.size() - 1);
            }
        }
    }

    /** A place to which this one refers, and that was not visited yet. */
    private Optional<Integer> missing(int place) {
        AdmissionRequest.Item item = items.get(place);
        return item.kind().kind.refersTo(item.intent()).stream()
                .map(places::get)
                .filter(other -> other != null && !entered.contains(other))
                .findFirst();
    }
}
