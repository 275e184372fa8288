// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.OraclePacket.Outer;
import org.sextant.core.sid.Trace.Hop;

/**
 * The walk against the recorded results of the P4 program on bmv2 (conformance/vectors/bmv2.json): the same tables and
 * the same packet must leave through the same port with the same destination and Segments Left, or not at all.
 */
class OracleTest {
    private static final Path RECORDED = Path.of("../../conformance/vectors/bmv2.json");

    private static JsonNode document() throws IOException {
        return new ObjectMapper().readTree(RECORDED.toFile());
    }

    private static Stream<JsonNode> vectors() throws IOException {
        return StreamSupport.stream(document().get("vectors").spliterator(), false);
    }

    @TestFactory
    Stream<DynamicTest> what_enters_encapsulated() throws IOException {
        JsonNode underlay = document().get("underlay");
        return vectors()
                .filter(OracleFib::isModelled)
                .flatMap(vector -> OraclePacket.parse(frame(vector.get("input")))
                        .map(packet ->
                                DynamicTest.dynamicTest(vector.get("name").textValue(), () -> {
                                    Trace trace = Walk.from(
                                            new OracleFib(underlay, vector.get("entries")),
                                            OracleFib.NODE,
                                            packet.header());
                                    compare(trace, vector.get("output"));
                                }))
                        .stream());
    }

    @TestFactory
    Stream<DynamicTest> what_is_steered_at_the_headend() throws IOException {
        JsonNode underlay = document().get("underlay");
        return vectors().flatMap(vector -> {
            OracleFib fib = new OracleFib(underlay, vector.get("entries"));
            return OraclePacket.user(frame(vector.get("input")))
                    .flatMap(payload -> fib.steering(payload)
                            .map(steered -> DynamicTest.dynamicTest(
                                    vector.get("name").textValue(),
                                    () -> compare(
                                            Walk.encapsulate(
                                                    fib,
                                                    OracleFib.NODE,
                                                    steered.reduced(),
                                                    steered.segments(),
                                                    payload),
                                            vector.get("output")))))
                    .stream();
        });
    }

    /** A filter that lets nothing through would pass every test above. */
    @Test
    void most_recorded_packets_are_walked() throws IOException {
        assertThat(what_enters_encapsulated()).hasSizeGreaterThan(120);
        assertThat(what_is_steered_at_the_headend()).hasSizeGreaterThan(20);
    }

    private static void compare(Trace trace, JsonNode output) {
        if (output.isEmpty()) {
            assertThat(trace.failure())
                    .as("%s", trace.hops())
                    .hasValueSatisfying(failure -> assertThat(failure.node()).isEqualTo(OracleFib.NODE));
            return;
        }
        byte[] frame = frame(output.get(0));
        String port = output.get(0).get("port").asText();
        Hop last = trace.hops().stream()
                .filter(hop -> hop.node().equals(OracleFib.NODE))
                .reduce((first, second) -> second)
                .orElseThrow();
        if (trace.arrives()) {
            assertThat(last.link()).contains(port);
            return;
        }
        Hop next = trace.hops().get(trace.hops().size() - 1);
        assertThat(next.node()).as("%s", trace.failure()).isEqualTo(OracleFib.neighbor(port));
        Outer left = OraclePacket.outer(frame).orElseThrow();
        assertThat(next.destinationAddress()).isEqualTo(left.destination());
        assertThat(next.segmentsLeft()).isEqualTo(left.segmentsLeft());
    }

    private static byte[] frame(JsonNode packet) {
        return HexFormat.of().parseHex(packet.get("hex").textValue());
    }

    /** The encapsulation of a user's packet by a headend. */
    record Steered(boolean reduced, List<Ipv6> segments) {}
}
