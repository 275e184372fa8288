// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.sera.Sera;

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
}
