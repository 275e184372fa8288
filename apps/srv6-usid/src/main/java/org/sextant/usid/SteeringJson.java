// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.sextant.core.json.Fields;
import org.sextant.core.table.FlowMatch;
import org.sextant.core.table.FlowMatch.Ports;
import org.sextant.kit.Endpoint;

/** Reads and writes the list {@code steering}: texts are destinations, objects flows. */
record SteeringJson(List<Endpoint> destinations, List<SteeredFlow> flows) {
    private static final Map<String, Integer> PROTOCOLS =
            Map.of("tcp", 6, "udp", 17, "icmp", 1, "icmpv6", 58, "sctp", 132);

    boolean isEmpty() {
        return destinations.isEmpty() && flows.isEmpty();
    }

    /** @param bound packets enter the policy by its binding SID, so that nothing has to be steered */
    static SteeringJson decode(Fields fields, boolean bound) {
        if (!bound) {
            fields.require("steering", "list the prefixes, addresses or hosts whose traffic takes this path");
        }
        List<SteeredFlow> flows = new ArrayList<>();
        List<Endpoint> destinations = new ArrayList<>();
        fields.<JsonNode>list("steering", (node, at) -> {
            if (node.isObject()) {
                flow(new Fields(node, at, fields.problems()), place(at)).ifPresent(flow -> {
                    if (flows.stream().anyMatch(flow::repeats)) {
                        fields.invalid(at, "the same flow is listed twice", "list it once");
                    }
                    flows.add(flow);
                });
            } else {
                destination(node, at, fields).ifPresent(end -> {
                    if (destinations.contains(end)) {
                        fields.invalid(at, end + " is listed twice", "list it once");
                    }
                    destinations.add(end);
                });
            }
            return Optional.empty();
        });
        fields.node("steering")
                .filter(node -> node.isArray() && node.size() == 0)
                .ifPresent(none -> fields.invalid(
                        fields.pointer("steering"),
                        "nothing is steered",
                        "list a prefix, an address or a host at least"));
        return new SteeringJson(destinations, flows);
    }

    private static int place(String pointer) {
        return Integer.parseInt(pointer.substring(pointer.lastIndexOf('/') + 1));
    }

    private static Optional<Endpoint> destination(JsonNode node, String at, Fields fields) {
        return fields.asText(node, at)
                .flatMap(text -> fields.parse(text, at, "give a prefix, an address or a host's name", Endpoint::parse));
    }

    private static Optional<SteeredFlow> flow(Fields fields, int at) {
        int before = fields.problems().size();
        int priority = (int) fields.integer("priority", 0, SteeredFlow.MAX_PRIORITY, 0);
        Optional<Endpoint> source = end(fields, "source");
        Optional<Endpoint> destination = end(fields, "destination");
        OptionalInt protocol = protocol(fields);
        Optional<Ports> sourcePorts = ports(fields, "sourcePort");
        Optional<Ports> destinationPorts = ports(fields, "destinationPort");
        OptionalInt dscp =
                fields.has("dscp") ? OptionalInt.of((int) fields.integer("dscp", 0, 63, 0)) : OptionalInt.empty();
        fields.finish();
        String pointer = fields.pointer("");
        String whole = pointer.substring(0, pointer.length() - 1);
        boolean ports = sourcePorts.isPresent() || destinationPorts.isPresent();
        if (fields.problems().size() == before && ports && !FlowMatch.hasPorts(protocol)) {
            fields.invalid(
                    fields.pointer(sourcePorts.isPresent() ? "sourcePort" : "destinationPort"),
                    "only TCP and UDP have ports",
                    "write \"protocol\": \"tcp\" or \"udp\"");
        }
        if (fields.problems().size() == before && source.isEmpty() && protocol.isEmpty() && dscp.isEmpty()) {
            fields.invalid(
                    whole,
                    "a flow is more than a destination",
                    "give source, protocol or dscp, or write the destination as a string");
        }
        return fields.problems().size() > before
                ? Optional.empty()
                : Optional.of(new SteeredFlow(
                        at, priority, source, destination, protocol, sourcePorts, destinationPorts, dscp));
    }

    private static Optional<Endpoint> end(Fields fields, String name) {
        return fields.parsed(name, "give a prefix, an address or a host's name", Endpoint::parse);
    }

    private static OptionalInt protocol(Fields fields) {
        Optional<JsonNode> node = fields.node("protocol");
        if (node.isEmpty()) {
            return OptionalInt.empty();
        }
        if (node.get().isTextual()) {
            return fields.word("protocol", PROTOCOLS.keySet().stream().sorted().toList(), word -> word)
                    .map(word -> OptionalInt.of(PROTOCOLS.getOrDefault(word, 0)))
                    .orElse(OptionalInt.empty());
        }
        return OptionalInt.of((int) fields.integer("protocol", 1, 255, 1));
    }

    /** A number, or a text with the first and the last one. */
    private static Optional<Ports> ports(Fields fields, String name) {
        Optional<JsonNode> node = fields.node(name);
        if (node.isPresent() && node.get().isTextual()) {
            return fields.parsed(name, "write a port, or the first and the last one: \"5000-5999\"", Ports::parse);
        }
        return node.map(number -> {
            int port = (int) fields.integer(name, 1, Ports.MAX, 1);
            return new Ports(port, port);
        });
    }

    static ArrayNode encode(List<Endpoint> destinations, List<SteeredFlow> flows) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        Iterator<Endpoint> ends = destinations.iterator();
        for (SteeredFlow flow :
                flows.stream().sorted(Comparator.comparing(SteeredFlow::at)).toList()) {
            while (array.size() < flow.at() && ends.hasNext()) {
                array.add(ends.next().toString());
            }
            array.add(encode(flow));
        }
        ends.forEachRemaining(end -> array.add(end.toString()));
        return array;
    }

    private static ObjectNode encode(SteeredFlow flow) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        flow.source().ifPresent(end -> json.put("source", end.toString()));
        flow.destination().ifPresent(end -> json.put("destination", end.toString()));
        flow.protocol().ifPresent(number -> protocol(number, json));
        flow.sourcePorts().ifPresent(ports -> ports("sourcePort", ports, json));
        flow.destinationPorts().ifPresent(ports -> ports("destinationPort", ports, json));
        flow.dscp().ifPresent(value -> json.put("dscp", value));
        if (flow.priority() != 0) {
            json.put("priority", flow.priority());
        }
        return json;
    }

    private static void protocol(int number, ObjectNode json) {
        PROTOCOLS.entrySet().stream()
                .filter(known -> known.getValue() == number)
                .findFirst()
                .ifPresentOrElse(known -> json.put("protocol", known.getKey()), () -> json.put("protocol", number));
    }

    private static void ports(String name, Ports ports, ObjectNode json) {
        if (ports.first() == ports.last()) {
            json.put(name, ports.first());
        } else {
            json.put(name, ports.toString());
        }
    }
}
