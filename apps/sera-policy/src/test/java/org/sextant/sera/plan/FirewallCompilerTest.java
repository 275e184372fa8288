// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.port.Capabilities;
import org.sextant.core.table.FirewallRule;
import org.sextant.core.table.MySid;
import org.sextant.core.table.SeraStateful;
import org.sextant.kit.path.FirewallHandle;
import org.sextant.sera.Sera;
import org.sextant.sera.Versioned;

/** The plans for nodes with and without the capabilities that a firewall needs. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FirewallCompilerTest {
    private static final String STATE = "{'protocol': 'tcp', 'state': ['established'], 'action': 'accept'}";
    private static final Set<String> VERDICTS = Set.of("fw_drop", "fw_go_next");

    private static Plan plan(Map<String, Set<String>> tables, String more, String... rules) {
        return plan(new Capabilities(tables, Map.of("firewall", 4L)), more, rules);
    }

    private static Plan plan(Capabilities node, String more, String... rules) {
        Versioned firewall = new Versioned(Sera.decoded(more, rules), 5, "", List.of());
        return new FirewallKind()
                .compile(new NumberedIntent<>("fw", 1, firewall), new CompileContext(Sera.FIG4, Map.of("l2", node)));
    }

    private static Plan bmv2(String more, String... rules) {
        return plan(Map.of("firewall", VERDICTS, "my_sid", Set.of("sera")), more, rules);
    }

    private static Plan linux(String more, String... rules) {
        return plan(Map.of("firewall", VERDICTS, "my_sid", Set.of("sera", "sera_stateful")), more, rules);
    }

    private static List<String> problems(Plan plan) {
        return plan.problems().stream()
                .map(problem -> problem.field() + ": " + problem.message())
                .toList();
    }

    @Test
    void a_node_whose_pipeline_has_no_firewall_is_refused_and_says_so() {
        Plan vpp = plan(Map.of("my_sid", Set.of("un")), "", "{'action': 'drop'}");
        assertThat(vpp.entries()).isEmpty();
        assertThat(problems(vpp))
                .containsExactly(
                        "/node: node \"l2\" has no firewall: its pipeline does not know table firewall, as that of"
                                + " VPP does not");
    }

    @Test
    void state_needs_a_node_that_remembers_flows() {
        assertThat(problems(bmv2("", "{'protocol': 'udp', 'action': 'drop'}", STATE)))
                .containsExactly("/rules/1/state: node \"l2\" remembers no flows");
        Plan linux = linux(", 'flows': 7", STATE);
        assertThat(linux.feasible()).isTrue();
        assertThat(sid(linux).behavior())
                .isInstanceOfSatisfying(
                        SeraStateful.class,
                        stateful -> assertThat(stateful.flows()).isEqualTo(7));
    }

    @Test
    void where_no_log_is_kept_rules_that_log_only_count_and_that_is_a_warning() {
        assertThat(bmv2("", "{'log': true, 'action': 'accept'}").warnings())
                .containsExactly("node l2 keeps no log: its rules count only");
        assertThat(bmv2(", 'enforcement': 'audit'", "{'action': 'drop'}").warnings())
                .hasSize(1);
        assertThat(bmv2("", "{'action': 'drop'}").warnings()).isEmpty();
        assertThat(linux("", "{'log': true, 'action': 'accept'}").warnings()).isEmpty();
    }

    @Test
    void more_rows_than_the_node_has_room_for_are_refused() {
        assertThat(problems(linux("", "{'source': ['!2001:db8::/32'], 'family': 'ipv6', 'action': 'drop'}")))
                .containsExactly("/rules: the rules come to 33 rows, and node \"l2\" has room for 4");
    }

    @Test
    void rules_and_sid_have_one_number_which_is_that_of_the_version() {
        Plan plan = linux("", "{'action': 'drop'}");
        int number = sid(plan).behavior() instanceof org.sextant.core.table.Sera sera ? sera.firewall() : -1;
        assertThat(number & 0xff_ffff).isEqualTo(5);
        assertThat(plan.entries())
                .filteredOn(placed -> placed.entry() instanceof FirewallRule)
                .hasSize(2)
                .allSatisfy(placed ->
                        assertThat(((FirewallRule) placed.entry()).firewall()).isEqualTo(number));
        assertThat(plan.offer()).isInstanceOfSatisfying(FirewallHandle.class, handle -> {
            assertThat(handle.id()).isEqualTo("fw");
            assertThat(handle.node()).isEqualTo("l2");
            assertThat(handle.sid()).isEqualTo(sid(plan));
        });
    }

    private static MySid sid(Plan plan) {
        return plan.entries().stream()
                .map(Plan.Placed::entry)
                .filter(MySid.class::isInstance)
                .map(MySid.class::cast)
                .findFirst()
                .orElseThrow();
    }
}
