// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.orphan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.allocate.IdPools;
import org.sextant.core.intent.install.PassageOwner;
import org.sextant.core.passage.Passage;
import org.sextant.core.passage.PassageJson;
import org.sextant.core.table.Entry;

/**
 * Entries at one node that an intent gave up and the node may still hold.
 *
 * @param number the intent's, which no other gets before this is gone
 * @param numbers of pools, the same
 * @param rows keys of rows; none if they are unknown, as after a restore: then the numbers wait until the node was read
 * @param passages the forwarding of packets there
 * @param withdrawn the intent, if it is gone as a whole; empty if it only changed
 */
public record Orphan(
        IntentRef ref,
        int number,
        String node,
        List<Left> numbers,
        List<Entry.Key> rows,
        List<Passage> passages,
        Optional<JsonNode> withdrawn,
        Instant since)
        implements PassageOwner {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    public Orphan {
        numbers = List.copyOf(numbers);
        rows = List.copyOf(new TreeSet<>(rows));
        passages = List.copyOf(passages);
    }

    /**
     * Numbers of a pool that rows may be about.
     *
     * @param everywhere no intent in the network may have them; else none at this node
     */
    public record Left(String pool, long first, int many, boolean everywhere) {

        /** The part of an allocation that concerns a node; empty if none does. */
        static Optional<Left> at(String node, IdPools.Hold hold) {
            boolean everywhere = hold.nodes().isEmpty();
            return everywhere || hold.nodes().contains(node)
                    ? Optional.of(new Left(hold.pool(), hold.first(), hold.many(), everywhere))
                    : Optional.empty();
        }
    }

    /** In the store's map, for example {@code policy/p1#5@l1}: one controller handles the node, and it alone writes the key. */
    public String key() {
        return ref + "#" + number + "@" + node;
    }

    @Override
    public String called() {
        return ref.kind() + " \"" + ref.id() + "\", which is "
                + (withdrawn.isPresent() ? "deleted but" : "changed but as before") + " still on node " + node;
    }

    /** The union with another orphan of the same key. */
    Orphan and(Orphan other) {
        Collection<Entry.Key> all = new ArrayList<>(rows);
        all.addAll(other.rows);
        List<Passage> ways = new ArrayList<>(passages);
        other.passages.stream().filter(passage -> !ways.contains(passage)).forEach(ways::add);
        Set<Left> had = new LinkedHashSet<>(numbers);
        had.addAll(other.numbers);
        return new Orphan(
                ref, number, node, List.copyOf(had), List.copyOf(all), ways, withdrawn.or(other::withdrawn), since);
    }

    /** The numbers that it keeps from others. */
    List<IdPools.Hold> holds() {
        IdPools.Owner owner = new IdPools.Owner(ref, number, null, true);
        return numbers.stream()
                .map(left -> new IdPools.Hold(
                        owner, left.pool(), left.first(), left.many(), left.everywhere() ? Set.of() : Set.of(node)))
                .toList();
    }

    public String encode() {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("kind", ref.kind())
                .put("id", ref.id())
                .put("number", number)
                .put("node", node)
                .put("since", since.toString());
        withdrawn.ifPresent(intent -> json.set("intent", intent));
        if (!numbers.isEmpty()) {
            ArrayNode had = json.putArray("numbers");
            numbers.forEach(left -> had.addObject()
                    .put("pool", left.pool)
                    .put("first", left.first)
                    .put("many", left.many)
                    .put("everywhere", left.everywhere));
        }
        ArrayNode keys = json.putArray("rows");
        rows.forEach(row -> keys.addObject().put("table", row.table()).put("match", row.match()));
        ArrayNode ways = json.putArray("passages");
        passages.forEach(passage -> ways.add(PassageJson.encode(passage)));
        return json.toString();
    }

    /** @throws IllegalArgumentException if {@link #encode} did not write the text */
    public static Orphan parse(String key, String text) {
        try {
            JsonNode json = MAPPER.readTree(text);
            List<Left> numbers = new ArrayList<>();
            json.path("numbers")
                    .forEach(left -> numbers.add(new Left(
                            left.path("pool").asText(),
                            left.path("first").asLong(),
                            left.path("many").asInt(),
                            left.path("everywhere").asBoolean())));
            List<Entry.Key> rows = new ArrayList<>();
            json.path("rows")
                    .forEach(row -> rows.add(Entry.Key.parse(
                            row.path("table").asText(), row.path("match").asText())));
            List<Passage> passages = new ArrayList<>();
            json.path("passages").forEach(passage -> passages.add(PassageJson.decode(passage)));
            Orphan orphan = new Orphan(
                    new IntentRef(json.path("kind").asText(), json.path("id").asText()),
                    json.path("number").asInt(),
                    json.path("node").asText(),
                    numbers,
                    rows,
                    passages,
                    Optional.ofNullable(json.get("intent")),
                    Instant.parse(json.path("since").asText()));
            if (!orphan.key().equals(key) || orphan.number < 1 || orphan.number > NumberedIntent.MAX_NUMBER) {
                throw new IllegalArgumentException("it says that it is " + orphan.key());
            }
            return orphan;
        } catch (JsonProcessingException | DateTimeException e) {
            throw new IllegalArgumentException("not a leftover: " + e.getMessage(), e);
        }
    }
}
