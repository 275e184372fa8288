// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.ProblemException;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.table.MySid;
import org.sextant.sera.Sera;

/**
 * Packets at firewall 3 of l2 (uSID 0200) of Figure 4, bytes from the semantics of the SERA paper's actions carried over to
 * containers: before and after differ in destination, hop limit and segments left only.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TracerTest {
    private static final String INSIDE = "60000000000c114020010db800010000000000000000000120010db80002000000000000"
            + "0000000103e80035000cba7b73657261";
    private static final String OUTER = "6000000000342940fcbbbbbb010000000000000000000001";
    private static final String LEAVING = "600000000034293ffcbbbbbb010000000000000000000001";

    private static JsonNode trace(String action, String hex) {
        return tracer(", 'mode': 'advanced', 'default': '" + action + "'").trace(hex(hex));
    }

    private static Tracer tracer(String more, String... rules) {
        return new Tracer(
                Sera.decoded(more, rules),
                new MySid(
                        IpPrefix.parse("fcbb:bbbb:200:f230::/60"),
                        new org.sextant.core.table.Sera(3 << 24 | 1, 3, 32, 32, 16, 4, 0xe000)));
    }

    private static JsonNode hex(String hex) {
        return Sera.json("{'hex': '" + hex + "'}");
    }

    private static void moves(String action, String before, String after) {
        JsonNode answer = trace(action, before);
        assertThat(answer.at("/before/hex").textValue()).isEqualTo(before);
        assertThat(answer.at("/after/hex").textValue()).as(action).isEqualTo(after);
    }

    @Test
    void verdicts_move_by_atoms() {
        String at = OUTER + "fcbbbbbb0200f23006000300f00d0000" + INSIDE;
        moves("accept", at, LEAVING + "fcbbbbbb06000300f00d000000000000" + INSIDE);
        moves("skipNext", at, LEAVING + "fcbbbbbb0300f00d0000000000000000" + INSIDE);
        moves("goLast", at, LEAVING + "fcbbbbbb0300f00d0000000000000000" + INSIDE);
        moves(
                "evalArgs",
                OUTER + "fcbbbbbb0200f23106000300f00d0000" + INSIDE,
                LEAVING + "fcbbbbbb0300f00d0000000000000000" + INSIDE);
        moves(
                "skipNext",
                OUTER + "fcbbbbbb0200f2300600e0020300f00d" + INSIDE,
                LEAVING + "fcbbbbbb0300f00d0000000000000000" + INSIDE);
    }

    @Test
    void verdicts_go_over_the_boundary_of_containers() {
        String header = "60000000004c2b%sfcbbbbbb010000000000000000000001";
        moves(
                "skipNext",
                String.format(header, "40") + "fcbbbbbb0200f2300000000000000000" + "2902040100000000"
                        + "fcbbbbbb06000300f00d000000000000" + INSIDE,
                String.format(header, "3f") + "fcbbbbbb0300f00d0000000000000000" + "2902040000000000"
                        + "fcbbbbbb06000300f00d000000000000" + INSIDE);
        String longer = "60000000005c2b%sfcbbbbbb010000000000000000000001";
        String list = "fcbbbbbb04000300f00d000000000000fcbbbbbb070008000000000000000000";
        moves(
                "goLast",
                String.format(longer, "40") + "fcbbbbbb0200f2300600050000000000" + "2904040201000000" + list + INSIDE,
                String.format(longer, "3f") + "fcbbbbbb0300f00d0000000000000000" + "2904040001000000" + list + INSIDE);
    }

    @Test
    void where_there_is_nothing_to_go_to_the_packet_is_dropped_and_the_reason_said() {
        assertThat(trace("skipNext", OUTER + "fcbbbbbb0200f2300300f00d00000000" + INSIDE)
                        .get("dropped")
                        .textValue())
                .isEqualTo("unable");
        assertThat(trace("accept", OUTER + "fcbbbbbb0200f2300000000000000000" + INSIDE)
                        .get("dropped")
                        .textValue())
                .isEqualTo("unable");
        assertThat(trace("evalArgs", OUTER + "fcbbbbbb0200f23706000300f00d0000" + INSIDE)
                        .get("dropped")
                        .textValue())
                .isEqualTo("badArguments");
        assertThat(trace("accept", OUTER.replace("2940", "2901") + "fcbbbbbb0200f23006000300f00d0000" + INSIDE)
                        .get("dropped")
                        .textValue())
                .isEqualTo("lastHop");
    }

    @Test
    void rules_see_the_packet_inside_and_those_passed_say_where_it_differs() {
        JsonNode answer = tracer(
                        ", 'mode': 'advanced'",
                        "{'name': 'tcp', 'protocol': 'tcp', 'action': 'accept'}",
                        "{'name': 'from', 'source': ['2001:db8:9::/48'], 'action': 'accept'}",
                        "{'name': 'srh', 'srh': {'present': true}, 'action': 'accept'}",
                        "{'name': 'six', 'family': 'ipv4', 'action': 'accept'}",
                        "{'name': 'next', 'srh': {'nextSid': 'fcbb:bbbb:700::/48'}, 'action': 'accept'}",
                        "{'name': 'dns', 'source': ['2001:db8:1::1'], 'protocol': 'udp', 'sourcePorts': '1000',"
                                + " 'destinationPorts': '53', 'outerSource': ['fcbb:bbbb:100::/48'], 'args': 0,"
                                + " 'srh': {'nextSid': 'fcbb:bbbb:600::/48'}, 'action': 'drop'}")
                .trace(hex(OUTER + "fcbbbbbb0200f23006000300f00d0000" + INSIDE));
        assertThat(answer.get("verdict").textValue()).isEqualTo("drop");
        assertThat(answer.at("/rule/name").textValue()).isEqualTo("dns");
        assertThat(answer.at("/rule/index").intValue()).isEqualTo(5);
        assertThat(answer.has("after")).isFalse();
        assertThat(answer.get("passed").findValuesAsText("differs"))
                .containsExactly("/protocol", "/source", "/srh/present", "/family", "/srh/nextSid");
    }

    @Test
    void what_a_node_calls_malformed_no_rule_sees() {
        String start = "60000000004c2b40fcbbbbbb010000000000000000000001fcbbbbbb0200f2300000000000000000";
        String list = "fcbbbbbb06000300f00d000000000000" + INSIDE;
        for (String srh :
                new String[] {"29020403 00000000", "29020401 01000000", "29ff0401 00000000", "29020201 00000000"}) {
            assertThat(trace("accept", start + srh.replace(" ", "") + list)
                            .get("dropped")
                            .textValue())
                    .as(srh)
                    .isEqualTo("malformed");
        }
        String container = "fcbbbbbb0200f23006000300f00d0000";
        for (String inside : new String[] {"4" + INSIDE.substring(1), INSIDE.replaceFirst("000c1140", "00ff1140")}) {
            JsonNode answer = trace("accept", OUTER + container + inside);
            assertThat(answer.path("dropped").textValue()).as(inside).isEqualTo("malformed");
        }
    }

    /** RFC 1858, 3; RFC 3128, 2.1; RFC 7112, 5: the behavior of nodes (conformance/test_firewall_malformed.py). */
    @Test
    void what_is_cut_before_rules_could_see_it_is_malformed() {
        String container = "fcbbbbbb0200f23006000300f00d0000";
        String outer = "60000000%04x2940fcbbbbbb010000000000000000000001" + container;
        String addresses = INSIDE.substring(16, 80);
        String tcp = "03e800500000000100000000500202000000";
        for (String cut : new String[] {
            "60000000000311" + "40" + addresses + tcp.substring(0, 6),
            "60000000000d06" + "40" + addresses + tcp.substring(0, 26),
            "6000000000013a" + "40" + addresses + "80",
            "6000000000102c" + "40" + addresses + "0600000100000007" + tcp.substring(0, 16),
            "6000000000102c" + "40" + addresses + "0600000800000007" + tcp.substring(16, 32),
        }) {
            JsonNode answer = trace("accept", String.format(outer, cut.length() / 2) + cut);
            assertThat(answer.path("dropped").textValue()).as(cut).isEqualTo("malformed");
        }
        String later = "6000000000102c" + "40" + addresses + "0600001000000007" + tcp.substring(16, 32);
        assertThat(trace("accept", String.format(outer, later.length() / 2) + later)
                        .get("verdict")
                        .textValue())
                .isEqualTo("accept");
    }

    @Test
    void a_later_fragment_has_no_ports_not_even_negated_ones() {
        String fragment = "6000000000141140".replace("11", "2c");
        String inside = fragment + INSIDE.substring(16, 80) + "1100000800000001" + INSIDE.substring(80);
        String outer = "60000000003c2940fcbbbbbb010000000000000000000001fcbbbbbb0200f23006000300f00d0000";
        Tracer tracer = tracer("", "{'protocol': 'udp', 'destinationPorts': '!7', 'action': 'accept'}");
        JsonNode answer = tracer.trace(hex(outer + inside));
        assertThat(answer.at("/rule/name").textValue()).isEqualTo("default");
        assertThat(answer.at("/passed/0/differs").textValue()).isEqualTo("/destinationPorts");
        JsonNode whole = tracer.trace(hex(OUTER + "fcbbbbbb0200f23006000300f00d0000" + INSIDE));
        assertThat(whole.get("verdict").textValue()).isEqualTo("accept");
    }

    @Test
    void a_described_packet_is_judged_as_the_same_in_bytes() {
        Tracer tracer = tracer(", 'mode': 'advanced', 'default': 'skipNext'");
        JsonNode answer = tracer.trace(
                Sera.json("{'packet': {'source': '2001:db8:1::1', 'destination': '2001:db8:2::1', 'protocol': 'udp',"
                        + " 'destinationPort': 53, 'destinationAddress': 'fcbb:bbbb:200:f230:600:300:f00d:0'}}"));
        assertThat(answer.at("/after/destinationAddress").textValue()).isEqualTo("fcbb:bbbb:300:f00d::");
        assertThatThrownBy(() -> tracer.trace(Sera.json(
                        "{'packet': {'source': '2001:db8:1::1', 'destination': '10.0.0.1', 'protocol': 'icmp',"
                                + " 'destinationPort': 53, 'colour': 3}}")))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        fault -> assertThat(fault.problems())
                                .extracting(problem -> problem.field())
                                .containsExactly("/packet/destination", "/packet/protocol", "/packet/colour"));
    }

    @Test
    void bytes_that_are_no_packet_are_refused_whatever_they_are() {
        java.util.Random random = new java.util.Random(8);
        Tracer tracer = tracer("");
        byte[] whole = java.util.HexFormat.of().parseHex(OUTER + "fcbbbbbb0200f23006000300f00d0000" + INSIDE);
        for (int i = 0; i < 3000; i++) {
            byte[] bytes = java.util.Arrays.copyOf(whole, 1 + random.nextInt(whole.length));
            for (int flips = random.nextInt(4); flips > 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            try {
                tracer.trace(hex(java.util.HexFormat.of().formatHex(bytes)));
            } catch (ProblemException refused) {
                assertThat(refused.problems()).isNotEmpty();
            }
        }
    }
}
