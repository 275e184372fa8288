// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.filter.Box;
import org.sextant.core.filter.Facts;
import org.sextant.core.filter.KeyField;
import org.sextant.core.filter.RuleSet;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;
import org.sextant.kit.Family;
import org.sextant.kit.Findings;
import org.sextant.sera.Firewall;
import org.sextant.sera.Groups;
import org.sextant.sera.Peer;
import org.sextant.sera.Rule;
import org.sextant.sera.Sera;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RuleRowsTest {
    private static List<Box> rows(String rule) {
        return rows(Sera.decoded(", 'mode': 'advanced'", rule));
    }

    private static List<Box> rows(Firewall firewall) {
        RuleRows rows = new RuleRows(firewall.rules().get(0), new Groups(firewall.groups()));
        List<Box> boxes = rows.boxes();
        assertThat((long) boxes.size()).isEqualTo(rows.count());
        return boxes;
    }

    private static List<String> texts(String rule) {
        return rows(rule).stream().map(Box::toString).toList();
    }

    @Test
    void a_rule_of_nothing_is_one_row_of_everything() {
        assertThat(texts("{'action': 'drop'}")).containsExactly("");
        assertThat(texts("{'family': 'ipv4', 'action': 'drop'}")).containsExactly("ip_version 4");
    }

    @Test
    void an_address_is_of_its_version_and_ports_are_there() {
        assertThat(
                        texts(
                                "{'destination': ['10.0.2.0/24'], 'protocol': 'udp', 'destinationPorts': '53', 'action': 'drop'}"))
                .containsExactly("ip_version 4 dst 10.0.2.0/24 ip_protocol 17 has 1&1 dst_port 53");
    }

    @Test
    void a_negated_prefix_is_as_many_rows_as_it_has_bits_and_lets_the_other_family_be() {
        assertThat(texts("{'source': ['!2001:db8:9::/48'], 'action': 'drop'}"))
                .hasSize(49)
                .contains("ip_version 4");
        assertThat(texts("{'family': 'ipv6', 'source': ['!2001:db8:9::/48'], 'action': 'drop'}"))
                .hasSize(48);
        assertThat(texts("{'source': ['10.0.0.0/8', '!10.1.0.0/16'], 'action': 'drop'}"))
                .hasSize(8);
    }

    @Test
    void an_inverted_range_is_two_rows_and_fields_multiply() {
        assertThat(texts("{'protocol': 'tcp', 'destinationPorts': '!80', 'action': 'drop'}"))
                .containsExactly("ip_protocol 6 has 1&1 dst_port 0-79", "ip_protocol 6 has 1&1 dst_port 81-65535");
        assertThat(texts("{'protocol': 'tcp', 'destinationPorts': '!0', 'action': 'drop'}"))
                .hasSize(1);
        assertThat(texts("{'protocol': 'tcp', 'sourcePorts': '!1', 'destinationPorts': '!80', 'action': 'drop'}"))
                .hasSize(4);
        assertThat(texts("{'protocol': 'tcp', 'sourcePorts': '0-65535', 'action': 'drop'}"))
                .as("a full range is none, but ports there are")
                .containsExactly("ip_protocol 6 has 1&1");
    }

    @Test
    void what_is_asked_of_the_header_asks_that_it_is_there() {
        assertThat(texts("{'srh': {'tag': 3}, 'action': 'drop'}")).containsExactly("has 4&4 srh_tag 3");
        assertThat(texts("{'srh': {'tag': '!3'}, 'action': 'drop'}"))
                .hasSize(16)
                .allMatch(row -> row.contains("has 4&4"));
        assertThat(texts("{'srh': {'present': false}, 'action': 'drop'}")).containsExactly("has 0&4");
        assertThat(texts("{'srh': {'previousSid': 'fc00::/16', 'nextSid': 'fc01::/16'}, 'action': 'drop'}"))
                .containsExactly("has 18&18 previous_sid fc00::/16 next_sid fc01::/16");
        assertThat(texts("{'srh': {'lastSid': 'fc00::/16'}, 'action': 'drop'}")).containsExactly("last_sid fc00::/16");
        assertThat(texts("{'args': '1,2', 'action': 'drop'}")).containsExactly("args 1", "args 2");
    }

    @Test
    void priorities_count_down_and_the_default_stands_behind_all() {
        Findings findings = new Findings();
        RuleSet rules = Rules.of(
                Sera.decoded("", "{'protocol': 'tcp', 'action': 'drop'}", "{'name': 'b', 'action': 'accept'}"),
                7,
                findings);
        assertThat(rules.rows())
                .extracting(row -> row.priority() + " " + row.verdict().text() + " " + row.rule())
                .containsExactly("65535 drop rule 0", "65534 goNext b", "1 drop default");
        assertThat(rules.number()).isEqualTo(7);
    }

    /** Compares entries with the fields of a rule, read directly from the rule. */
    @Test
    void a_packet_is_in_a_row_if_and_only_if_the_rule_takes_it() {
        Random random = new Random(4);
        String[] peers = {
            "2001:db8::/33", "2001:db8:8000::/34", "2001:db8::1", "10.0.0.0/9", "10.128.0.1", "::/0", "0.0.0.0/0"
        };
        for (int i = 0; i < 400; i++) {
            String rule = "{'source': [" + some(random, peers) + "], 'protocol': '"
                    + (random.nextBoolean() ? "tcp" : "!17,6") + "', 'action': 'drop'}";
            Firewall firewall = Sera.decoded("", rule);
            RuleRows rows = new RuleRows(firewall.rules().get(0), new Groups(firewall.groups()));
            if (rows.count() > 2000) {
                continue;
            }
            List<Box> boxes = rows.boxes();
            for (String source : List.of(
                    "2001:db8::1", "2001:db8:8000::5", "2001:db8:c000::", "10.0.0.1", "10.128.0.1", "11.0.0.0", "::")) {
                for (int protocol : new int[] {6, 17, 58}) {
                    IpAddress address = IpAddress.parse(source);
                    Facts packet = Facts.NONE
                            .with(KeyField.IP_VERSION, address instanceof Ipv4 ? 4 : 6)
                            .with(KeyField.SRC, address)
                            .with(KeyField.DST, address instanceof Ipv4 ? address : Ipv6.ZERO)
                            .with(KeyField.IP_PROTOCOL, protocol);
                    boolean taken = takes(firewall.rules().get(0), address, protocol);
                    assertThat(boxes.stream().anyMatch(box -> box.contains(packet)))
                            .as(rule + " " + source + " " + protocol)
                            .isEqualTo(taken);
                    assertThat(rows.differs(packet).isEmpty()).isEqualTo(taken);
                }
            }
        }
    }

    private static String some(Random random, String[] from) {
        StringBuilder text = new StringBuilder();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "'" : ", '")
                    .append(random.nextInt(3) == 0 ? "!" : "")
                    .append(from[random.nextInt(from.length)])
                    .append("'");
        }
        return text.toString();
    }

    private static boolean takes(Rule rule, IpAddress source, int protocol) {
        boolean asked = rule.source().stream().anyMatch(peer -> !peer.negated());
        boolean in = rule.source().stream().anyMatch(peer -> !peer.negated() && has(peer, source));
        boolean out = rule.source().stream().anyMatch(peer -> peer.negated() && has(peer, source));
        return (!asked || in) && !out && rule.protocol().orElseThrow().takes(protocol);
    }

    private static boolean has(Peer peer, IpAddress address) {
        IpPrefix prefix = peer.prefix().orElseThrow();
        return Family.of(prefix) == Family.of(address) && prefix.contains(address);
    }
}
