// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sextant.core.filter.Box;
import org.sextant.core.filter.KeyField;
import org.sextant.core.filter.Verdict;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.table.FirewallRule;

/** The order of the writes of one step. */
class UpdatePlanTest {
    private final NodeTable node = new NodeTable("l1");

    @Test
    void rules_of_a_firewall_are_removed_from_the_last_to_the_first() {
        UpdatePlan round = new UpdatePlan(List.of(), Set.of());
        IntStream.of(300, 1, 200).forEach(priority -> {
            FirewallRule rule = new FirewallRule(7, priority, Box.equal(KeyField.IP_PROTOCOL, 6), Verdict.DROP, false);
            Row row = new Row(node, rule.key());
            row.held = rule;
            round.plan(row, Operation.DELETE);
        });

        SortedMap<String, List<UpdatePlan.Write>> step = round.nextStep(Instant.EPOCH);

        assertThat(step.get("l1"))
                .extracting(write -> ((FirewallRule) write.update().entry()).priority())
                .containsExactly(1, 200, 300);
        assertThat(round.nextStep(Instant.EPOCH)).isEmpty();
    }
}
