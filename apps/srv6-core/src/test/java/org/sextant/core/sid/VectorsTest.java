// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Fib.Adjacency;
import org.sextant.core.table.Behavior;

/** The vectors that all languages share. */
class VectorsTest {
    private static final Path VECTORS = Path.of("../../conformance/vectors");

    @TestFactory
    Stream<DynamicTest> packing() throws IOException {
        return vectors("packing.json")
                .map(vector -> DynamicTest.dynamicTest(vector.get("name").textValue(), () -> {
                    JsonNode expected = vector.get("expected");
                    if (expected.has("refused")) {
                        assertThatThrownBy(() -> atoms(vector.get("input")))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageContaining(expected.get("refused").textValue());
                        return;
                    }
                    assertThat(Packing.pack(atoms(vector.get("input"))).stream()
                                    .map(container -> container.sid().toString()))
                            .containsExactlyElementsOf(texts(expected.get("containers")));
                }));
    }

    @TestFactory
    Stream<DynamicTest> walk() throws IOException {
        JsonNode networks = read("walk.json").get("networks");
        return vectors("walk.json")
                .map(vector -> DynamicTest.dynamicTest(vector.get("name").textValue(), () -> {
                    JsonNode input = vector.get("input");
                    Trace trace = Walk.encapsulate(
                            fib(networks.get(input.get("network").textValue())),
                            input.get("headend").textValue(),
                            input.get("reduced").booleanValue(),
                            texts(input.get("segments")).stream()
                                    .map(Ipv6::parse)
                                    .toList(),
                            input.get("innerDestination").isNull()
                                    ? Payload.of(Behavior.Family.IPV6)
                                    : Payload.to(IpAddress.parse(
                                            input.get("innerDestination").textValue())));
                    assertThat(render(trace).toPrettyString())
                            .isEqualTo(vector.get("expected").toPrettyString());
                }));
    }

    private static ObjectNode render(Trace trace) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("arrives", trace.arrives());
        ArrayNode hops = json.putArray("hops");
        for (Trace.Hop hop : trace.hops()) {
            ObjectNode one = hops.addObject()
                    .put("node", hop.node())
                    .put("behavior", hop.behavior())
                    .put("destinationAddress", hop.destinationAddress().toString())
                    .put("segmentsLeft", hop.segmentsLeft());
            hop.leaving().ifPresent(leaving -> one.put("leaving", leaving.toString()));
            hop.link().ifPresent(link -> one.put("link", link));
            if (!hop.otherLinks().isEmpty()) {
                ArrayNode others = one.putArray("otherLinks");
                hop.otherLinks().forEach(others::add);
            }
        }
        trace.failure().ifPresent(failure -> json.put("reason", failure.reason().name()));
        return json;
    }

    private static List<Atom> atoms(JsonNode input) {
        List<Atom> atoms = new ArrayList<>();
        for (JsonNode atom : input.get("atoms")) {
            atoms.add(
                    atom.has("sid")
                            ? new Atom.Full(Ipv6.parse(atom.get("sid").textValue()))
                            : new Atom.Compressed(
                                    IpPrefix.parse(atom.get("block").textValue()),
                                    SidFormat.byName(atom.get("format").textValue())
                                            .orElseThrow(),
                                    texts(atom.get("usids")).stream()
                                            .map(usid -> Long.parseLong(usid, 16))
                                            .toList(),
                                    0,
                                    atom.get("closes").booleanValue()));
        }
        return atoms;
    }

    private static Fib fib(JsonNode network) {
        TestFib fib = new TestFib();
        network.fields().forEachRemaining(entry -> {
            String node = entry.getKey();
            JsonNode tables = entry.getValue();
            Map<String, Adjacency> byLink = new java.util.HashMap<>();
            tables.get("nextHops").fields().forEachRemaining(hop -> {
                JsonNode to = hop.getValue();
                Adjacency adjacency = new Adjacency(
                        to.get("link").textValue(),
                        to.path(to.has("host") ? "host" : "node").textValue(),
                        to.has("host"));
                byLink.put(adjacency.link(), adjacency);
                fib.nextHop(node, Integer.parseInt(hop.getKey()), adjacency);
            });
            tables.get("mySid").fields().forEachRemaining(sid -> fib.sid(node, sid.getKey(), behavior(sid.getValue())));
            tables.get("routes")
                    .fields()
                    .forEachRemaining(route -> fib.route(
                            node,
                            0,
                            route.getKey(),
                            texts(route.getValue()).stream().map(byLink::get).toArray(Adjacency[]::new)));
        });
        return fib;
    }

    private static Behavior behavior(JsonNode json) {
        int block = json.path("blockLength").intValue();
        int usid = json.path("usidLength").intValue();
        return switch (json.get("behavior").textValue()) {
            case "uN" -> new Behavior.Un(block, usid);
            case "uA" -> new Behavior.Ua(block, usid, json.get("nextHop").intValue());
            case "uDT6" ->
                new Behavior.Udt(Behavior.Family.IPV6, json.get("vrf").intValue());
            case "uDT4" ->
                new Behavior.Udt(Behavior.Family.IPV4, json.get("vrf").intValue());
            default -> throw new IllegalArgumentException("behavior of the vectors: " + json);
        };
    }

    private static JsonNode read(String file) throws IOException {
        return new ObjectMapper().readTree(VECTORS.resolve(file).toFile());
    }

    private static Stream<JsonNode> vectors(String file) throws IOException {
        return StreamSupport.stream(read(file).get("vectors").spliterator(), false);
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::textValue)
                .toList();
    }
}
