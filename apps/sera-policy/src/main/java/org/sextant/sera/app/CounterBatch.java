// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.port.FirewallTelemetry.Counted;

/** The rules with new counters since the last event, each with its latest values, in portions. */
final class CounterBatch {
    /** The maximum number of rules per event, ten times a second. */
    static final int MOST_TOLD = 500;

    /** The counters by firewall and version, then by rule. */
    private final SortedMap<Told, SortedMap<Integer, Counters>> anew = new TreeMap<>();

    private final Set<String> live = new HashSet<>();

    private record Told(String id, int version) implements Comparable<Told> {
        @Override
        public int compareTo(Told other) {
            int order = id.compareTo(other.id);
            return order != 0 ? order : Integer.compare(version, other.version);
        }
    }

    synchronized void count(Counted counted, FirewallLookup whose) {
        counted.rules()
                .forEach(rule -> whose.rule(counted.node(), counted.instance(), rule.ruleSet(), rule.priority())
                        .ifPresent(of -> {
                            live.add(of.id());
                            anew.computeIfAbsent(new Told(of.id(), of.version()), none -> new TreeMap<>())
                                    .put(of.index(), rule.counters());
                        }));
    }

    /** Is true if its node streams the counters of a firewall. */
    synchronized boolean live(String firewall) {
        return live.contains(firewall);
    }

    synchronized void clear() {
        anew.clear();
        live.clear();
    }

    synchronized boolean isEmpty() {
        return anew.isEmpty();
    }

    /** Empty if no counter changed since; further rules are in the result of the next call. */
    synchronized Optional<ObjectNode> take() {
        if (anew.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode told = JsonNodeFactory.instance.objectNode();
        ArrayNode firewalls = told.putArray("firewalls");
        int room = MOST_TOLD;
        while (room > 0 && !anew.isEmpty()) {
            Told first = anew.firstKey();
            SortedMap<Integer, Counters> rules = Objects.requireNonNull(anew.get(first));
            ArrayNode list = firewalls
                    .addObject()
                    .put("id", first.id())
                    .put("version", first.version())
                    .putArray("rules");
            while (room > 0 && !rules.isEmpty()) {
                put(list, rules);
                room--;
            }
            if (rules.isEmpty()) {
                anew.remove(first);
            }
        }
        return Optional.of(told);
    }

    private static void put(ArrayNode list, SortedMap<Integer, Counters> rules) {
        int rule = rules.firstKey();
        Optional.ofNullable(rules.remove(rule))
                .ifPresent(counters -> list.addObject()
                        .put("rule", rule)
                        .put("hits", counters.packets())
                        .put("bytes", counters.bytes()));
    }
}
