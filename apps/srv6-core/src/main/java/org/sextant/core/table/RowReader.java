// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import org.sextant.contract.Field;
import org.sextant.contract.Table;
import org.sextant.contract.Tables;
import org.sextant.core.filter.Constraint;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.table.TableEntry.Match;
import org.sextant.core.table.TableEntry.Weighted;

/**
 * Takes a row apart that follows the contract. Matches are read field by field in the order of the table's fields, as
 * {@link RowBuilder} writes them; an absent field is a wildcard.
 */
public final class RowReader {
    /** In front of an IPv4 address in a field of 128 bits. */
    private static final int MAPPED_BITS = 96;

    private final TableEntry row;
    private final Table table;
    private int next;

    /** @param row as {@link ContractCheck} lets it pass */
    RowReader(TableEntry row) {
        this.row = row;
        this.table = Tables.byName(row.table()).orElseThrow();
    }

    public int priority() {
        return row.priority();
    }

    public int exact() {
        return match(field(), Match.Exact.class).orElseThrow().value().intValue();
    }

    /** An address of either family in a field of 128 bits. */
    public IpAddress exactAddress() {
        return Values.unmapped(match(field(), Match.Exact.class).orElseThrow().value());
    }

    /**
     * A prefix of either family in a ternary field of 128 bits.
     *
     * @throws MalformedEntryException if the mask is not that of a prefix
     */
    public Optional<IpPrefix> ternaryAddress() {
        Field field = field();
        return match(field, Match.Ternary.class).map(match -> {
            int length = match.mask().bitCount();
            if (!match.mask().equals(Values.mask(field.bits(), length))) {
                throw new MalformedEntryException(
                        row.table(), "the mask of " + field.name() + " is not that of a prefix");
            }
            return length >= MAPPED_BITS && Values.unmapped(match.value()) instanceof Ipv4 four
                    ? new IpPrefix(four, length - MAPPED_BITS)
                    : new IpPrefix(Values.ipv6(match.value()), length);
        });
    }

    public IpPrefix lpm() {
        Field field = field();
        Optional<Match.Lpm> match = match(field, Match.Lpm.class);
        return prefix(
                field, match.map(Match.Lpm::value), match.map(Match.Lpm::length).orElse(0));
    }

    public Optional<Ternary> ternary() {
        return match(field(), Match.Ternary.class)
                .map(match -> new Ternary(match.value().intValue(), match.mask().intValue()));
    }

    /** @throws MalformedEntryException if the mask is not that of a prefix */
    public IpPrefix ternaryPrefix() {
        Field field = field();
        Optional<Match.Ternary> match = match(field, Match.Ternary.class);
        int length = match.map(one -> one.mask().bitCount()).orElse(0);
        if (match.isPresent() && !match.get().mask().equals(Values.mask(field.bits(), length))) {
            throw new MalformedEntryException(row.table(), "the mask of " + field.name() + " is not that of a prefix");
        }
        return prefix(field, match.map(Match.Ternary::value), length);
    }

    /** The constraint of the row on the next field, if it has one. */
    public Optional<Constraint> asked() {
        Field field = field();
        return field.kind() == Field.Kind.RANGE
                ? match(field, Match.Range.class)
                        .map(match -> new Constraint.Interval(
                                match.low().intValue(), match.high().intValue()))
                : match(field, Match.Ternary.class)
                        .map(match -> new Constraint.Bits(Values.ipv6(match.value()), Values.ipv6(match.mask())));
    }

    private static IpPrefix prefix(Field field, Optional<BigInteger> given, int length) {
        BigInteger value = given.orElse(BigInteger.ZERO);
        return new IpPrefix(field.bits() == 32 ? new Ipv4(value.intValue()) : Values.ipv6(value), length);
    }

    private Field field() {
        return table.fields().get(next++);
    }

    private <M extends Match> Optional<M> match(Field field, Class<M> kind) {
        return row.matches().stream()
                .filter(match -> match.field().equals(field.name()))
                .findFirst()
                .map(kind::cast);
    }

    /** The one action of a row of a table whose entries have one. */
    public CallReader call() {
        return new CallReader(((TableEntry.Action.Direct) row.action()).call());
    }

    /** The weighted set of a row of a table whose entries have one. */
    public List<Weighted> members() {
        return ((TableEntry.Action.OneShot) row.action()).members();
    }
}
