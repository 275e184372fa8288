// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.contract.Action;
import org.sextant.contract.Field;
import org.sextant.contract.Table;
import org.sextant.core.filter.Constraint;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.table.TableEntry.Call;
import org.sextant.core.table.TableEntry.Match;
import org.sextant.core.table.TableEntry.Weighted;

/**
 * Spells an entry as a row of its table. Matches are given field by field in the order of the table's fields; a
 * wildcard is given too, and left out of the row. {@link RowReader} takes the same row apart in the same order.
 */
public final class RowBuilder {
    private final Table table;
    private final List<Match> matches = new ArrayList<>();
    private int next;
    private int priority;

    private RowBuilder(Table table) {
        this.table = table;
    }

    public static RowBuilder in(Table table) {
        return new RowBuilder(table);
    }

    public RowBuilder priority(int value) {
        priority = value;
        return this;
    }

    /** @param value taken as unsigned */
    public RowBuilder exact(int value) {
        matches.add(new Match.Exact(field().name(), Values.number(value)));
        return this;
    }

    /** An address of either family in a field of 128 bits. */
    public RowBuilder exactAddress(IpAddress address) {
        matches.add(new Match.Exact(field().name(), Values.mapped(address)));
        return this;
    }

    /** A prefix of either family in a ternary field of 128 bits; empty matches any address of both. */
    public RowBuilder ternaryAddress(Optional<IpPrefix> prefix) {
        Field field = field();
        prefix.ifPresent(given -> {
            int length = given.length() + field.bits() - given.address().bits();
            if (length > 0) {
                matches.add(new Match.Ternary(
                        field.name(), Values.mapped(given.address()), Values.mask(field.bits(), length)));
            }
        });
        return this;
    }

    public RowBuilder lpm(IpPrefix prefix) {
        Field field = field();
        if (prefix.length() > 0) {
            matches.add(new Match.Lpm(field.name(), Values.number(prefix.address()), prefix.length()));
        }
        return this;
    }

    public RowBuilder ternary(Optional<Ternary> value) {
        Field field = field();
        value.ifPresent(given -> matches.add(
                new Match.Ternary(field.name(), Values.number(given.value()), Values.number(given.mask()))));
        return this;
    }

    /** A prefix in a field that is ternary: the mask is that of its length. */
    public RowBuilder ternary(IpPrefix prefix) {
        Field field = field();
        if (prefix.length() > 0) {
            matches.add(new Match.Ternary(
                    field.name(), Values.number(prefix.address()), Values.mask(field.bits(), prefix.length())));
        }
        return this;
    }

    /** The constraint of a box on the next field, if it has one. */
    public RowBuilder asked(Optional<Constraint> constraint) {
        Field field = field();
        constraint.ifPresent(asked -> matches.add(
                asked instanceof Constraint.Bits bits
                        ? new Match.Ternary(field.name(), Values.number(bits.value()), Values.number(bits.mask()))
                        : interval(field, (Constraint.Interval) asked)));
        return this;
    }

    private static Match interval(Field field, Constraint.Interval asked) {
        return new Match.Range(field.name(), Values.number(asked.first()), Values.number(asked.last()));
    }

    private Field field() {
        return table.fields().get(next++);
    }

    public TableEntry does(Action action, BigInteger... values) {
        return does(Call.of(action, values));
    }

    /** In a table without a key this is its default entry. */
    public TableEntry does(Call call) {
        return new TableEntry(
                table.name(),
                matches,
                new TableEntry.Action.Direct(call),
                table.fields().isEmpty(),
                priority);
    }

    public TableEntry chooses(List<Weighted> members) {
        return new TableEntry(table.name(), matches, new TableEntry.Action.OneShot(members), false, priority);
    }
}
