// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.filter.Facts;
import org.sextant.core.filter.KeyField;
import org.sextant.core.ip.IpAddress;
import org.sextant.sera.Firewall;
import org.sextant.sera.Groups;
import org.sextant.sera.Sera;
import org.sextant.sera.Verb;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RuleFindingsTest {
    private static List<String> findings(String... rules) {
        return RuleFindings.of(Rules.asWritten(Sera.decoded("", rules))).stream()
                .map(finding -> finding.rule() + " " + finding.code() + " " + finding.by())
                .toList();
    }

    private static String rule(String fields, String action) {
        return "{" + fields + ", 'action': '" + action + "'}";
    }

    @Test
    void what_another_rule_before_it_takes_is_shadowed_or_redundant() {
        assertThat(findings(
                        rule("'protocol': 'tcp'", "accept"),
                        rule("'protocol': 'tcp', 'destinationPorts': '80'", "drop")))
                .containsExactly("1 SHADOWED [0]");
        assertThat(findings(
                        rule("'protocol': 'tcp'", "accept"),
                        rule("'protocol': 'tcp', 'destinationPorts': '80'", "accept")))
                .containsExactly("1 REDUNDANT [0]");
    }

    @Test
    void several_rules_together_shadow_one() {
        assertThat(findings(
                        rule("'source': ['2001:db8::/33']", "accept"),
                        rule("'source': ['2001:db8:8000::/33']", "accept"),
                        rule("'source': ['2001:db8::/32']", "drop")))
                .containsExactly("2 SHADOWED [0, 1]");
        assertThat(findings(
                        rule("'protocol': 'udp', 'destinationPorts': '!53'", "accept"),
                        rule("'protocol': 'udp', 'destinationPorts': '53'", "accept"),
                        rule("'protocol': 'udp', 'destinationPorts': '1-100'", "drop")))
                .containsExactly("2 SHADOWED [0, 1]");
    }

    @Test
    void what_rules_behind_it_do_as_well_is_redundant() {
        assertThat(findings(
                        rule("'protocol': 'tcp', 'destinationPorts': '80'", "accept"),
                        rule("'protocol': 'tcp'", "accept")))
                .containsExactly("0 REDUNDANT [1]");
        assertThat(findings(rule("'protocol': 'tcp'", "drop")))
                .as("the default drops, too")
                .containsExactly("0 REDUNDANT [-1]");
        assertThat(findings(
                        rule("'protocol': 'tcp', 'destinationPorts': '80'", "accept"),
                        rule("'protocol': 'tcp', 'destinationPorts': '80', 'sourcePorts': '1'", "drop"),
                        rule("'protocol': 'tcp'", "accept")))
                .as("something else stands between")
                .contains("1 SHADOWED [0]")
                .doesNotContain("0 REDUNDANT [2]");
    }

    @Test
    void rules_that_share_packets_and_do_different_things_are_correlated() {
        assertThat(findings(
                        rule("'source': ['2001:db8::/32']", "accept"),
                        rule("'protocol': 'tcp'", "drop"),
                        "{'action': 'accept'}"))
                .containsExactly("1 CORRELATED [0]");
    }

    @Test
    void rules_that_do_not_meet_are_nothing_to_tell_of() {
        assertThat(findings(rule("'protocol': 'tcp'", "accept"), rule("'protocol': 'udp'", "accept")))
                .isEmpty();
    }

    @Test
    void too_much_work_is_said_to_be_that() {
        String[] many = IntStream.range(0, 4001)
                .mapToObj(i -> i == 4000
                        ? rule("'protocol': 'udp', 'destinationPorts': '0-65535'", "accept")
                        : rule("'protocol': 'udp', 'destinationPorts': '" + i + "'", "drop"))
                .toArray(String[]::new);
        assertThat(RuleFindings.of(Rules.asWritten(Sera.decoded(", 'default': 'accept'", many))))
                .containsExactly(new RuleFinding(RuleFinding.Code.UNDECIDED, 4000, List.of()));
    }

    @Test
    void rules_behind_that_do_the_same_together_make_a_rule_redundant() {
        assertThat(findings(
                        rule("'source': ['2001:db8::/32']", "accept"),
                        rule("'source': ['2001:db8::/33']", "accept"),
                        rule("'source': ['2001:db8:8000::/33']", "accept")))
                .contains("0 REDUNDANT [1, 2]");
        assertThat(findings(
                        rule("'source': ['2001:db8::/32']", "accept"),
                        rule("'source': ['!2001:db8::/32']", "accept"),
                        "{'action': 'drop'}"))
                .as("there are two versions of IP")
                .contains("2 SHADOWED [0, 1]");
        assertThat(findings(
                        rule("'destination': ['0.0.0.0/1']", "accept"),
                        rule("'destination': ['128.0.0.0/1']", "accept"),
                        "{'family': 'ipv4', 'action': 'drop'}"))
                .as("IPv4 packets have IPv4 addresses")
                .contains("2 SHADOWED [0, 1]");
        assertThat(findings(
                        rule("'protocol': 'tcp', 'destinationPorts': '1-4'", "accept"),
                        rule("'protocol': 'tcp', 'destinationPorts': '2'", "drop"),
                        rule("'protocol': 'tcp', 'destinationPorts': '1-2'", "accept")))
                .as("the drop in between never decides")
                .contains("1 SHADOWED [0]", "2 REDUNDANT [0]");
    }

    private static final List<Facts> PACKETS = packets();

    /** Packets with all combinations of fields that the rules of {@link #any} distinguish. */
    private static List<Facts> packets() {
        List<Facts> packets = new ArrayList<>();
        for (String source : List.of("::1", "::2", "::3", "::4", "::5", "10.0.0.1", "10.0.0.2")) {
            IpAddress address = IpAddress.parse(source);
            for (int protocol : new int[] {6, 17, 58}) {
                for (int port = -1; port < 5; port++) {
                    Facts packet = Facts.NONE
                            .with(KeyField.IP_VERSION, address.bits() == 32 ? 4 : 6)
                            .with(KeyField.SRC, address)
                            .with(KeyField.DST, address)
                            .with(KeyField.IP_PROTOCOL, protocol);
                    packets.add(port < 0 ? packet : packet.with(KeyField.DST_PORT, port));
                }
            }
        }
        return packets;
    }

    private static String any(Random random) {
        List<String> fields = new ArrayList<>();
        if (random.nextBoolean()) {
            String[] sources = {
                "::2/127", "::1", "!::2/127", "!::4", "10.0.0.1", "!10.0.0.1", "::/0", "0.0.0.0/0", "!::/0"
            };
            fields.add("'source': ['" + sources[random.nextInt(sources.length)] + "']");
        }
        if (random.nextInt(4) > 0) {
            fields.add("'protocol': '" + List.of("tcp", "udp", "tcp,udp").get(random.nextInt(3)) + "'");
            String[] ports = {"0-1", "2", "!2", ">=3", "1-3", ">=0", "!0-1", "0"};
            if (random.nextBoolean()) {
                fields.add("'destinationPorts': '" + ports[random.nextInt(ports.length)] + "'");
            }
        }
        fields.add("'action': '" + (random.nextBoolean() ? "accept" : "drop") + "'");
        return "{" + String.join(", ", fields) + "}";
    }

    /** Compares findings with the definitions, packet by packet. */
    @Test
    void findings_are_those_of_a_search_through_all_packets() {
        long seed = Long.getLong("findings.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int i = 0; i < 150; i++) {
            String[] texts = IntStream.range(0, 2 + random.nextInt(7))
                    .mapToObj(rule -> any(random))
                    .toArray(String[]::new);
            Firewall firewall = Sera.decoded("", texts);
            assertThat(RuleFindings.of(Rules.asWritten(firewall)).stream()
                            .map(finding -> finding.rule() + " " + finding.code() + " " + finding.by()))
                    .as("seed %d, firewall %d: %s", seed, i, String.join("\n", texts))
                    .containsExactlyElementsOf(searched(firewall));
        }
    }

    private static List<String> searched(Firewall firewall) {
        List<RuleRows> rules = new ArrayList<>();
        firewall.rules().forEach(rule -> rules.add(new RuleRows(rule, new Groups(firewall.groups()))));
        // For each packet the rules that match it; the default is the last.
        List<List<Integer>> matching = new ArrayList<>();
        for (Facts packet : PACKETS) {
            matching.add(IntStream.rangeClosed(0, rules.size())
                    .filter(rule -> rule == rules.size()
                            || rules.get(rule).differs(packet).isEmpty())
                    .boxed()
                    .toList());
        }
        List<String> found = new ArrayList<>();
        for (int i = 0; i < rules.size(); i++) {
            searched(firewall, i, matching).ifPresent(found::add);
        }
        return found;
    }

    private static Optional<String> searched(Firewall firewall, int rule, List<List<Integer>> matching) {
        TreeSet<Integer> before = new TreeSet<>();
        TreeSet<Integer> behind = new TreeSet<>();
        for (List<Integer> packet : matching) {
            int at = packet.indexOf(rule);
            if (at > 0) {
                before.add(packet.get(0));
            } else if (at == 0) {
                behind.add(packet.get(1));
            }
        }
        boolean decides = !behind.isEmpty();
        boolean same =
                (decides ? behind : before).stream().allMatch(other -> verb(firewall, other) == verb(firewall, rule));
        if (same || !decides) {
            String by = (decides ? behind : before)
                    .stream()
                            .map(other -> other == firewall.rules().size() ? "-1" : other.toString())
                            .collect(Collectors.joining(", ", "[", "]"));
            return Optional.of(rule + (same ? " REDUNDANT " : " SHADOWED ") + by);
        }
        List<Integer> across = IntStream.range(0, rule)
                .filter(other ->
                        verb(firewall, other) != verb(firewall, rule) && overlap(matching, List.of(other, rule)))
                .boxed()
                .toList();
        return across.isEmpty() ? Optional.empty() : Optional.of(rule + " CORRELATED " + across);
    }

    private static Verb verb(Firewall firewall, int rule) {
        return rule == firewall.rules().size()
                ? firewall.otherwise()
                : firewall.rules().get(rule).verb();
    }

    /** Is true if two rules share packets and each has packets of its own. */
    private static boolean overlap(List<List<Integer>> matching, List<Integer> rules) {
        return matching.stream().anyMatch(packet -> packet.containsAll(rules))
                && rules.stream()
                        .allMatch(rule -> matching.stream()
                                .anyMatch(packet -> packet.contains(rule) && !packet.containsAll(rules)));
    }
}
