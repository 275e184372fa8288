// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.sextant.core.table.Entry;

/**
 * The routes of one node, reported by the controller that handles it to the other controllers of the cluster: valid
 * until the next report of the node.
 *
 * @param number counts the reports of the node
 * @param plan digest of the planned routes; the controller writes no others to the node
 * @param unsettled routes that may differ from the plan: the neighbors to which the node may send besides, with {@link #NONE}
 *     if it may have no route; empty if the node's routes are unknown, or too many differ
 */
record RouteReport(long number, String plan, Optional<SortedMap<Entry.Key, SortedSet<String>>> unsettled) {
    /** In place of a neighbor: the node may have no route. */
    static final String NONE = "";

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String NUMBER = "number";
    private static final String PLAN = "plan";
    private static final String UNSETTLED = "unsettled";

    RouteReport numbered(long other) {
        return new RouteReport(other, plan, unsettled);
    }

    /** Compares two reports without their numbers. */
    boolean hasContentOf(RouteReport other) {
        return plan.equals(other.plan) && unsettled.equals(other.unsettled);
    }

    /** True if every route that the other report leaves possible is possible under this one. */
    boolean covers(RouteReport other) {
        return plan.equals(other.plan)
                && (unsettled.isEmpty()
                        || other.unsettled.isPresent()
                                && other.unsettled.get().entrySet().stream()
                                        .allMatch(route ->
                                                possible(route.getKey()).containsAll(route.getValue())));
    }

    /** The neighbors to which the node may send in addition to the planned ones. */
    Set<String> possible(Entry.Key route) {
        return unsettled
                .<Set<String>>map(all -> all.getOrDefault(route, new TreeSet<>()))
                .orElse(Set.of());
    }

    String encode() {
        ObjectNode json = MAPPER.createObjectNode().put(NUMBER, number).put(PLAN, plan);
        unsettled.ifPresent(all -> {
            ObjectNode tables = json.putObject(UNSETTLED);
            all.forEach((key, next) -> {
                ObjectNode table = tables.with(key.table());
                next.forEach(table.putArray(key.match())::add);
            });
        });
        return json.toString();
    }

    /** Parses {@link #encode}'s text; empty if it has another form, as another version may write it. */
    static Optional<RouteReport> parse(String text) {
        try {
            JsonNode json = MAPPER.readTree(text);
            if (!json.path(NUMBER).canConvertToLong() || !json.path(PLAN).isTextual()) {
                return Optional.empty();
            }
            return Optional.of(new RouteReport(
                    json.get(NUMBER).longValue(),
                    json.get(PLAN).textValue(),
                    json.has(UNSETTLED) ? Optional.of(routes(json.get(UNSETTLED))) : Optional.empty()));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static SortedMap<Entry.Key, SortedSet<String>> routes(JsonNode tables) {
        SortedMap<Entry.Key, SortedSet<String>> routes = new TreeMap<>();
        tables.fields()
                .forEachRemaining(table -> table.getValue().fields().forEachRemaining(route -> {
                    SortedSet<String> next = new TreeSet<>();
                    route.getValue().forEach(node -> next.add(node.asText()));
                    routes.put(Entry.Key.parse(table.getKey(), route.getKey()), next);
                }));
        return routes;
    }
}
