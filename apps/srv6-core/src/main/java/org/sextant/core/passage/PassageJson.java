// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.passage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.sextant.core.ip.IpPrefix;

/** Passages as they are stored. */
public final class PassageJson {
    private PassageJson() {}

    public static ObjectNode encode(Passage passage) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        Packets packets = passage.packets();
        json.set("from", place(passage.from()));
        json.put("rule", passage.rule().name())
                .put("source", packets.source().toString())
                .put("destination", packets.destination().toString());
        packets.protocol().ifPresent(number -> json.put("protocol", number));
        packets.sourcePort().ifPresent(number -> json.put("sourcePort", number));
        packets.destinationPort().ifPresent(number -> json.put("destinationPort", number));
        ArrayNode exits = json.putArray("exits");
        passage.exits().forEach(exit -> exits.add(place(exit)));
        return json;
    }

    /** @throws IllegalArgumentException if {@link #encode} did not write {@code json} */
    public static Passage decode(JsonNode json) {
        SortedSet<Place> exits = new TreeSet<>();
        json.path("exits").forEach(exit -> exits.add(place(exit)));
        Packets packets = new Packets(
                IpPrefix.parse(json.path("source").asText()),
                IpPrefix.parse(json.path("destination").asText()),
                number(json, "protocol"),
                number(json, "sourcePort"),
                number(json, "destinationPort"));
        return new Passage(
                place(json.path("from")),
                packets,
                Passage.Rule.valueOf(json.path("rule").asText()),
                exits);
    }

    private static Optional<Integer> number(JsonNode json, String field) {
        return json.has(field) ? Optional.of(json.get(field).asInt()) : Optional.empty();
    }

    private static ObjectNode place(Place place) {
        return JsonNodeFactory.instance.objectNode().put("node", place.node()).put("vrf", place.vrf());
    }

    private static Place place(JsonNode json) {
        return new Place(json.path("node").asText(), json.path("vrf").asInt());
    }
}
