// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.sextant.core.filter.Box;
import org.sextant.core.filter.KeyField;
import org.sextant.core.filter.Verdict;
import org.sextant.core.port.DataPlane.Stored;
import org.sextant.core.table.Entry;
import org.sextant.core.table.FirewallRule;

/** The numbers of a node's rows after changes in random order, against a count of all rows. */
class RowCountsTest {
    private static final int RULES = 12;

    private final NodeTable node = new NodeTable("l1");

    private static Entry rule(int priority) {
        return new FirewallRule(7, priority, Box.equal(KeyField.IP_PROTOCOL, 6), Verdict.DROP, false);
    }

    @RepeatedTest(50)
    void numbers_are_those_of_all_rows(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        node.mine = true;
        node.reachable = true;
        node.since = Instant.EPOCH;
        for (int step = 0; step < 300; step++) {
            change(random);
            if (random.nextInt(3) == 0) {
                assertThat(node.status().entries())
                        .as("seed %s, step %s", repetition.getCurrentRepetition(), step)
                        .isEqualTo((int) node.rows.values().stream()
                                .filter(row -> row.held != null)
                                .count());
                assertThat(node.status().contact().waiting()).isEqualTo((int) node.rows.values().stream()
                        .filter(row -> node.known && row.needed(false).isPresent())
                        .count());
            }
        }
    }

    private void change(Random random) {
        Entry entry = rule(1 + random.nextInt(RULES));
        Row row = node.row(entry.key());
        switch (random.nextInt(8)) {
            case 0, 1 -> row.hold(entry);
            case 2 -> row.hold(null);
            case 3 -> row.release();
            case 4 -> {
                row.gone();
                node.sweep(row);
            }
            case 5 -> node.sweep();
            case 6 -> node.known = random.nextBoolean();
            default ->
                node.take(List.of(new Stored(entry, Optional.empty())), random.nextBoolean(), one -> false, false);
        }
    }
}
