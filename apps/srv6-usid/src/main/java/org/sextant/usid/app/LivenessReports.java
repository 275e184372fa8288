// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.port.LivenessTelemetry.Seen;
import org.sextant.usid.plan.LivenessList;

/**
 * The lists with liveness detection of each policy, and the last reports of nodes about them. Changes are queued for
 * event streams by policy, so that a path that flaps appears once per {@link #take}. Thread-safe.
 */
final class LivenessReports {
    /** The maximum number of policies per event, ten times a second; others follow in the next one. */
    static final int MOST_TOLD = 100;

    private final Map<String, List<LivenessList>> policies = new HashMap<>();
    private final Map<Place, String> owners = new HashMap<>();
    private final Map<Place, Seen> seen = new HashMap<>();
    private final Set<String> anew = new LinkedHashSet<>();
    private boolean telling;

    private record Place(String node, int sidList) {
        static Place of(LivenessList list) {
            return new Place(list.headend(), list.sidList());
        }
    }

    /** Sets the lists of a policy that have liveness detection; none for a deleted policy or one without it. */
    synchronized void has(String policy, List<LivenessList> lists) {
        List<LivenessList> before = lists.isEmpty() ? policies.remove(policy) : policies.put(policy, lists);
        if (before != null) {
            before.stream().map(Place::of).forEach(place -> owners.remove(place, policy));
        }
        lists.forEach(list -> owners.put(Place.of(list), policy));
        if (before != null) {
            before.stream()
                    .map(Place::of)
                    .filter(place -> !owners.containsKey(place))
                    .forEach(seen::remove);
        }
    }

    synchronized boolean isEmpty() {
        return policies.isEmpty();
    }

    /** Stores a node's report; true if {@link #take} has something new. */
    synchronized boolean saw(Seen now) {
        Place place = new Place(now.node(), now.sidList());
        String policy = owners.get(place);
        if (policy == null) {
            return false;
        }
        Seen before = seen.put(place, now);
        boolean changed = before == null || before.status() != now.status() || before.inUse() != now.inUse();
        return changed && telling && anew.add(policy);
    }

    /** Discards the reports of an unreachable node; true if {@link #take} has something new. */
    synchronized boolean lost(String node) {
        boolean fresh = false;
        for (Place place : List.copyOf(seen.keySet())) {
            String policy = owners.get(place);
            if (place.node().equals(node) && policy != null) {
                seen.remove(place);
                fresh |= telling && anew.add(policy);
            }
        }
        return fresh;
    }

    /** Starts or ends the queue of changes. */
    synchronized void tell(boolean wanted) {
        telling = wanted;
        anew.clear();
    }

    synchronized boolean somethingIsNew() {
        return !anew.isEmpty();
    }

    /** The policies of which a status changed since the last call; empty if there are none. */
    synchronized Optional<ObjectNode> take() {
        if (anew.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode told = JsonNodeFactory.instance.objectNode();
        ArrayNode list = told.putArray("policies");
        List<String> taken = anew.stream().limit(MOST_TOLD).toList();
        for (String id : taken) {
            anew.remove(id);
            Optional.ofNullable(policies.get(id))
                    .ifPresent(lists -> list.addObject().put("id", id).set("candidatePaths", paths(lists)));
        }
        return Optional.of(told);
    }

    /** The candidate paths of a policy with liveness detection, the active one first; empty if it has none. */
    synchronized Optional<ArrayNode> paths(String policy) {
        return Optional.ofNullable(policies.get(policy)).map(this::paths);
    }

    /** The probe counters of all reported lists of a policy; empty if none is reported. */
    synchronized Optional<ProbeTotals> probed(String policy) {
        List<Seen> said = policies.getOrDefault(policy, List.of()).stream()
                .map(list -> seen.get(Place.of(list)))
                .filter(Objects::nonNull)
                .toList();
        return said.isEmpty() ? Optional.empty() : Optional.of(ProbeTotals.of(said));
    }

    private ArrayNode paths(List<LivenessList> lists) {
        Map<Integer, PathSeen> paths = new LinkedHashMap<>();
        Set<Place> used = used(lists);
        for (LivenessList list : lists) {
            PathSeen path = paths.computeIfAbsent(list.index(), none -> new PathSeen(list.preference()));
            path.add(Optional.ofNullable(seen.get(Place.of(list))), used.contains(Place.of(list)));
        }
        ArrayNode json = JsonNodeFactory.instance.arrayNode();
        paths.forEach((index, path) -> path.json(json.addObject().put("index", index)));
        return json;
    }

    /** The list that the node reports to use for each family; by default that of the active path. */
    private Set<Place> used(List<LivenessList> lists) {
        Map<String, Place> first = new LinkedHashMap<>();
        lists.forEach(list -> first.putIfAbsent(list.family(), Place.of(list)));
        Set<Place> used = new LinkedHashSet<>();
        first.values().forEach(active -> {
            int instead = Optional.ofNullable(seen.get(active)).map(Seen::inUse).orElse(0);
            Place place = new Place(active.node(), instead == 0 ? active.sidList() : instead);
            used.add(lists.stream().map(Place::of).anyMatch(place::equals) ? place : active);
        });
        return used;
    }
}
