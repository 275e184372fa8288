// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.ProblemException;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.MySid;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Findings;
import org.sextant.kit.path.FirewallHandle;
import org.sextant.sera.Firewall;
import org.sextant.sera.Sera;
import org.sextant.sera.plan.Rules;

/**
 * A packet from h11 to h31 of Figure 4, through firewall 3 of l2 and function p6: the outer headers are those of the SERA
 * semantics' golden packets, byte by byte, at every node.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PacketTraceTest {
    private static final int NUMBER = 3 << 24 | 1;
    private static final Ipv6 SOURCE = Ipv6.parse("fcbb:bbbb:100::1");
    /** UDP from port 1000 to 53; its hop limit is one higher than on arrival at the firewall. */
    private static final String INSIDE =
            "60000000000c1141fd000000001100000000000000000002fd000000003100000000000000000002"
                    + "03e80035000cba7b73657261";

    private static final String ADDRESSES = "'source': 'fd00:0:11::2', 'destination': 'fd00:0:31::2'";

    private static ObjectNode follow(String request, List<String> segments, String more, String... rules) {
        Firewall firewall = Sera.decoded(more, rules);
        FirewallHandle handle = new FirewallHandle(
                "fw",
                "l2",
                new MySid(
                        IpPrefix.parse("fcbb:bbbb:200:f230::/60"),
                        new org.sextant.core.table.Sera(NUMBER, 3, 32, 32, 16, 4, 0xe000)),
                Rules.of(firewall, NUMBER, new Findings()));
        PacketTrace.Pushed pushed = new PacketTrace.Pushed(
                "l1", SOURCE, true, segments.stream().map(Ipv6::parse).toList(), true);
        return new PacketTrace(new Underlay(Sera.FIG4).fib(), List.of(handle), Map.of("fw", firewall))
                .follow(TraceRequest.read(Sera.json(request)), pushed, handle);
    }

    private static ObjectNode follow(String action, String... segments) {
        return follow(
                "{'policy': 'p', 'hex': '" + INSIDE + "'}",
                List.of(segments),
                ", 'mode': 'advanced', 'default': '" + action + "'");
    }

    private static JsonNode hop(JsonNode answer, String node) {
        for (JsonNode hop : answer.get("hops")) {
            if (hop.get("node").textValue().equals(node)) {
                return hop;
            }
        }
        throw new AssertionError(node + " is not visited: " + answer);
    }

    private static void moves(JsonNode answer, String before, String after) {
        JsonNode hop = hop(answer, "l2");
        assertThat(hop.at("/before/header").textValue()).isEqualTo(before);
        assertThat(hop.at("/after/header").textValue()).isEqualTo(after);
        assertThat(answer.at("/before/hex").textValue())
                .as("the firewall's own view")
                .isEqualTo(before + INSIDE);
        assertThat(answer.at("/after/hex").textValue()).isEqualTo(after + INSIDE);
    }

    private static String outer(String hopLimit, String destination) {
        return "6000000000342 9".replace(" ", "") + hopLimit + "fcbbbbbb010000000000000000000001" + destination;
    }

    @Test
    void a_verdict_moves_the_packet_as_the_golden_bytes_say_and_it_is_delivered() {
        String container = "fcbb:bbbb:200:f230:600:300:f00d:0";
        JsonNode next = follow("accept", container);
        moves(next, outer("40", "fcbbbbbb0200f23006000300f00d0000"), outer("3f", "fcbbbbbb06000300f00d000000000000"));
        assertThat(hop(next, "p6").get("behavior").textValue()).isEqualTo("uN");
        assertThat(next.at("/hops/0").has("before")).as("the headend pushes").isFalse();
        assertThat(next.at("/hops/0/after/header").textValue())
                .isEqualTo(outer("40", "fcbbbbbb0200f23006000300f00d0000"));
        assertThat(next.at("/end/outcome").textValue()).isEqualTo("delivered");
        assertThat(next.at("/end/to").textValue()).isEqualTo("h31");
        JsonNode last = next.get("hops").get(next.get("hops").size() - 1);
        assertThat(last.get("node").textValue()).isEqualTo("l3");
        assertThat(last.has("after")).as("the outer header is gone").isFalse();
        JsonNode skip = follow("skipNext", container);
        moves(skip, outer("40", "fcbbbbbb0200f23006000300f00d0000"), outer("3f", "fcbbbbbb0300f00d0000000000000000"));
        assertThat(skip.get("hops").findValuesAsText("behavior")).doesNotContain("uN");
    }

    @Test
    void verdicts_go_over_the_boundary_of_containers() {
        String header = "60000000004c2b%sfcbbbbbb010000000000000000000001";
        moves(
                follow("skipNext", "fcbb:bbbb:200:f230::", "fcbb:bbbb:600:300:f00d::"),
                String.format(header, "40") + "fcbbbbbb0200f2300000000000000000" + "2902040100000000"
                        + "fcbbbbbb06000300f00d000000000000",
                String.format(header, "3f") + "fcbbbbbb0300f00d0000000000000000" + "2902040000000000"
                        + "fcbbbbbb06000300f00d000000000000");
        String longer = "60000000005c2b%sfcbbbbbb010000000000000000000001";
        String list = "fcbbbbbb04000300f00d000000000000fcbbbbbb070008000000000000000000";
        JsonNode last =
                follow("goLast", "fcbb:bbbb:200:f230:600:500::", "fcbb:bbbb:700:800::", "fcbb:bbbb:400:300:f00d::");
        moves(
                last,
                String.format(longer, "40") + "fcbbbbbb0200f2300600050000000000" + "2904040201000000" + list,
                String.format(longer, "3f") + "fcbbbbbb0300f00d0000000000000000" + "2904040001000000" + list);
        assertThat(hop(last, "l2").at("/before/segmentsLeft").intValue()).isEqualTo(2);
        assertThat(hop(last, "l3").at("/before/segmentsLeft").intValue()).isZero();
    }

    @Test
    void where_a_rule_drops_it_the_way_ends_there_and_says_so() {
        ObjectNode answer = follow(
                "{'policy': 'p', 'packet': {" + ADDRESSES + ", 'protocol': 'tcp', 'destinationPort': 22}}",
                List.of("fcbb:bbbb:200:f230:600:300:f00d:0"),
                "",
                "{'name': 'web', 'protocol': 'tcp', 'destinationPorts': '80', 'action': 'accept'}",
                "{'name': 'ssh', 'protocol': 'tcp', 'destinationPorts': '22', 'action': 'drop'}");
        assertThat(answer.get("hops").findValuesAsText("node")).containsExactly("l1", "l2");
        assertThat(answer.at("/hops/1/firewall/rule/name").textValue()).isEqualTo("ssh");
        assertThat(answer.at("/hops/1/firewall/rule/index").intValue()).isEqualTo(1);
        assertThat(answer.at("/hops/1/firewall/verdict").textValue()).isEqualTo("drop");
        assertThat(answer.at("/end/outcome").textValue()).isEqualTo("dropped");
        assertThat(answer.at("/end/node").textValue()).isEqualTo("l2");
        assertThat(answer.at("/end/why").textValue())
                .isEqualTo(
                        "node l2 drops it: rule \"ssh\" of the firewall at fcbb:bbbb:200:f230::/60 on node l2 says drop");
        assertThat(answer.get("verdict").textValue()).isEqualTo("drop");
        assertThat(answer.at("/passed/0/differs").textValue()).isEqualTo("/destinationPorts");
        assertThat(answer.at("/hops/0/after/header").textValue())
                .as("a TCP header and an IPv6 header are inside")
                .startsWith("60000000003c293f");
    }

    @Test
    void a_firewall_that_only_watches_lets_it_pass_and_says_what_it_would_do() {
        ObjectNode answer = follow(
                "{'policy': 'p', 'packet': {" + ADDRESSES + ", 'protocol': 'icmpv6'}}",
                List.of("fcbb:bbbb:200:f230:600:300:f00d:0"),
                ", 'enforcement': 'audit'");
        assertThat(answer.at("/hops/1/firewall/verdict").textValue()).isEqualTo("drop");
        assertThat(answer.at("/hops/1/firewall/enforced").textValue()).isEqualTo("accept");
        assertThat(answer.at("/end/outcome").textValue()).isEqualTo("delivered");
    }

    @Test
    void a_packet_that_is_lost_says_why_and_one_that_does_not_come_to_the_firewall_has_no_verdict() {
        ObjectNode lost = follow("skipNext", "fcbb:bbbb:200:f230:300:f00d::");
        assertThat(lost.at("/end/outcome").textValue()).isEqualTo("lost");
        assertThat(lost.at("/end/reason").textValue()).isEqualTo("NOWHERE_TO_GO");
        assertThat(lost.get("dropped").textValue())
                .as("in the words of the firewall")
                .isEqualTo("unable");
        ObjectNode other = follow("accept", "fcbb:bbbb:300:f00d::");
        assertThat(other.has("verdict")).isFalse();
        assertThat(other.at("/end/outcome").textValue()).isEqualTo("delivered");
        ObjectNode tired = follow(
                "{'policy': 'p', 'hex': '" + INSIDE.replace("1141", "1102") + "'}",
                List.of("fcbb:bbbb:200:f230:600:300:f00d:0"),
                ", 'mode': 'advanced', 'default': 'accept'");
        assertThat(tired.at("/end/reason").textValue()).isEqualTo("HOP_LIMIT");
    }

    @Test
    void ipv4_is_carried_with_a_hop_limit_of_64_and_no_label() {
        String four = "4512001c000000000111000a" + "0a000b02" + "0a001f02" + "03e8003500080000";
        ObjectNode answer = follow(
                "{'policy': 'p', 'hex': '" + four.replace("000a0a", "00000a") + "'}",
                List.of("fcbb:bbbb:200:f230:600:300:f004:0"),
                "",
                "{'name': 'four', 'family': 'ipv4', 'protocol': 'udp', 'destinationPorts': '53', 'action': 'accept'}");
        assertThat(answer.at("/hops/1/before/header").textValue()).startsWith("60000000001c043ffcbbbbbb01000000");
        assertThat(answer.at("/rule/name").textValue()).isEqualTo("four");
        assertThat(answer.at("/end/to").textValue()).isEqualTo("h31");
    }

    @Test
    void what_is_no_packet_of_a_host_is_refused_whatever_it_is() {
        for (String hex :
                List.of("", "zz", "50", "60", "4500", "60000000000c1141", "4000000000000000000000000000000000000000")) {
            assertThatThrownBy(() -> follow(
                            "{'policy': 'p', 'hex': '" + hex + "'}",
                            List.of("fcbb:bbbb:300:f00d::"),
                            ", 'default': 'accept'"))
                    .as(hex)
                    .isInstanceOf(ProblemException.class);
        }
        assertThatThrownBy(() -> follow(
                        "{'policy': 'p', 'packet': {" + ADDRESSES + ", 'tag': 3}}",
                        List.of("fcbb:bbbb:300:f00d::"),
                        ", 'default': 'accept'"))
                .as("the policy says what the outer header is")
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        fault -> assertThat(fault.problems().get(0).field()).isEqualTo("/packet/tag"));
    }
}
