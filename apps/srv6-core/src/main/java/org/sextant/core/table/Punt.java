// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.sextant.contract.Action;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.table.EntryTypes.EntryType;

/** Frames that match go to the controller, or are dropped if {@code discard}. An empty field matches everything. */
public record Punt(
        int priority,
        Optional<Ternary> inPort,
        Optional<Ternary> etherType,
        Optional<Ternary> ipProtocol,
        Optional<Ternary> icmpv6Type,
        boolean discard)
        implements Entry {
    public static final String TABLE = Tables.PUNT.name();

    static final EntryType TYPE = new EntryType(List.of(Tables.PUNT), Punt::read, text -> text);

    private static final int IPV6 = 0x86dd;
    private static final int ICMPV6 = 58;

    public Punt {
        if (priority < 1) {
            throw new IllegalArgumentException("a ternary entry has a priority of 1 or more");
        }
        Objects.requireNonNull(inPort);
    }

    /** All frames of one EtherType go to the controller. */
    public static Punt etherType(int priority, int etherType) {
        return new Punt(
                priority,
                Optional.empty(),
                Optional.of(new Ternary(etherType, 0xffff)),
                Optional.empty(),
                Optional.empty(),
                false);
    }

    /** All ICMPv6 messages of one type go to the controller, whatever extension headers they are behind. */
    public static Punt icmpv6(int priority, int type) {
        return new Punt(
                priority,
                Optional.empty(),
                Optional.of(new Ternary(IPV6, 0xffff)),
                Optional.of(new Ternary(ICMPV6, 0xff)),
                Optional.of(new Ternary(type, 0xff)),
                false);
    }

    @Override
    public Key key() {
        return new Key(
                TABLE,
                "priority " + priority
                        + Ternary.text("in_port", inPort)
                        + Ternary.text("ether_type", etherType)
                        + Ternary.text("ip_protocol", ipProtocol)
                        + Ternary.text("icmpv6_type", icmpv6Type));
    }

    @Override
    public Stage stage() {
        return Stage.ADJACENCY;
    }

    private Action action() {
        return discard ? Actions.DISCARD : Actions.TO_CONTROLLER;
    }

    @Override
    public TableEntry row() {
        return RowBuilder.in(Tables.PUNT)
                .priority(priority)
                .ternary(inPort)
                .ternary(etherType)
                .ternary(ipProtocol)
                .ternary(icmpv6Type)
                .does(action());
    }

    private static Punt read(RowReader row) {
        return new Punt(
                row.priority(),
                row.ternary(),
                row.ternary(),
                row.ternary(),
                row.ternary(),
                row.call().is(Actions.DISCARD));
    }

    @Override
    public String actionText() {
        return action().name();
    }
}
