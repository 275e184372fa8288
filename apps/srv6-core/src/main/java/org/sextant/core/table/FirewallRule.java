// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.sextant.contract.Tables;
import org.sextant.core.filter.Box;
import org.sextant.core.filter.Constraint;
import org.sextant.core.filter.KeyField;
import org.sextant.core.filter.RuleSet;
import org.sextant.core.filter.Verdict;
import org.sextant.core.table.EntryTypes.EntryType;
import org.sextant.core.table.TableEntry.Call;

/**
 * A rule of a firewall, or one row of it (docs/reference/firewall-node.md); the highest priority wins.
 *
 * @param firewall the number of the rule set, unsigned, which {@link Sera} refers to
 * @param log true if the node reports matched packets
 */
public record FirewallRule(int firewall, int priority, Box box, Verdict verdict, boolean log) implements Entry {
    public static final String TABLE = Tables.FIREWALL.name();

    static final EntryType TYPE = new EntryType(List.of(Tables.FIREWALL), FirewallRule::read, text -> text);

    public FirewallRule {
        if (priority < 1) {
            throw new IllegalArgumentException("a ternary entry has a priority of 1 or more");
        }
        Objects.requireNonNull(box);
        Objects.requireNonNull(verdict);
    }

    /** The rows of a rule set, in the order of its rules. */
    public static List<FirewallRule> of(RuleSet rules) {
        return rules.rows().stream()
                .map(row -> new FirewallRule(rules.number(), row.priority(), row.box(), row.verdict(), row.log()))
                .toList();
    }

    @Override
    public Key key() {
        String asked = box.toString();
        return new Key(
                TABLE,
                "firewall " + Integer.toUnsignedString(firewall) + " priority " + priority
                        + (asked.isEmpty() ? "" : " " + asked));
    }

    /** Before the SID that uses it, as a list is before entries that steer into it. */
    @Override
    public Stage stage() {
        return Stage.LISTS;
    }

    @Override
    public int precedence() {
        return priority;
    }

    @Override
    public TableEntry row() {
        RowBuilder row = RowBuilder.in(Tables.FIREWALL).priority(priority).exact(firewall);
        KeyField.all().forEach(field -> row.asked(box.asks(field)));
        return row.does(Call.of(verdict.contract(), Values.number(log ? 1 : 0)));
    }

    private static FirewallRule read(RowReader row) {
        int firewall = row.exact();
        Map<KeyField, Constraint> asked = new EnumMap<>(KeyField.class);
        KeyField.all().forEach(field -> row.asked().ifPresent(constraint -> asked.put(field, constraint)));
        CallReader call = row.call();
        Verdict verdict = Verdict.ofAction(call.action()).orElseThrow();
        return new FirewallRule(firewall, row.priority(), Box.of(asked), verdict, call.number() == 1);
    }

    @Override
    public String actionText() {
        return verdict.contract().name() + (log ? " log" : "");
    }
}
