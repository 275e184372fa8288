// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.filter;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The rules of one firewall, first match first. A rule may be several rows: those of one {@link Row#rule}.
 *
 * @param number under which the rows stand; never used again for other ones
 */
public record RuleSet(int number, List<Row> rows) {

    /** The most boxes that the search for packets visits: twice as many as 4,096 rows without overlap need. */
    private static final int BUDGET = 1 << 24;

    public RuleSet {
        rows = rows.stream()
                .sorted(Comparator.comparingInt(Row::priority).reversed())
                .toList();
    }

    /**
     * A row of table {@code firewall}.
     *
     * @param priority 1 or more; the highest wins
     * @param rule the rule of the row, by its name for operators
     */
    public record Row(int priority, Box box, Verdict verdict, boolean log, String rule) {
        public Row {
            if (priority < 1) {
                throw new IllegalArgumentException("a row of a firewall has a priority of 1 or more");
            }
            Objects.requireNonNull(box);
            Objects.requireNonNull(verdict);
            Objects.requireNonNull(rule);
        }
    }

    /** The row that decides about a packet: the linear search that every target is held against. Empty: it is dropped. */
    public Optional<Row> judge(Facts packet) {
        return rows.stream().filter(row -> row.box.contains(packet)).findFirst();
    }

    /**
     * Rows that decide about some packet of this traffic, in their order. A row that cannot be decided within the
     * budget counts as one of them.
     */
    public List<Row> reachable(Box traffic) {
        List<Row> meeting =
                rows.stream().filter(row -> row.box.intersects(traffic)).toList();
        List<Row> reachable = new ArrayList<>();
        List<Box> before = new ArrayList<>();
        Cover.Search search = new Cover.Search(BUDGET);
        for (Row row : meeting) {
            Box left = row.box.intersect(traffic).orElseThrow();
            if (search.of(left, before) != Cover.WHOLE) {
                reachable.add(row);
            }
            before.add(row.box);
            if (row.box.covers(traffic)) {
                break;
            }
        }
        return reachable;
    }
}
