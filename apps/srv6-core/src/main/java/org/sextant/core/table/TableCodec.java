// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.contract.Action;
import org.sextant.contract.Actions;
import org.sextant.contract.Field;
import org.sextant.contract.Fields;
import org.sextant.contract.Param;
import org.sextant.contract.Table;
import org.sextant.contract.Tables;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.table.Behavior.Family;
import org.sextant.core.table.TableEntry.Call;
import org.sextant.core.table.TableEntry.Match;
import org.sextant.core.table.TableEntry.Weighted;

/**
 * Entries to rows of the contract's tables and back. For every entry {@code decode(encode(entry))} is the same entry, for
 * every row that {@code decode} takes, {@code encode} gives the same row.
 */
public final class TableCodec {
    private TableCodec() {}

    /** @throws MalformedEntryException if a value does not fit the contract, such as a segment list that is too long */
    public static TableEntry encode(Entry entry) {
        return ContractCheck.check(row(entry));
    }

    /** @throws MalformedEntryException if the row does not follow the contract */
    public static Entry decode(TableEntry row) {
        ContractCheck.check(row);
        try {
            return entry(row);
        } catch (MalformedEntryException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new MalformedEntryException(row.table(), e.getMessage());
        }
    }

    private static TableEntry row(Entry entry) {
        if (entry instanceof MySid mySid) {
            return direct(Tables.MY_SID, lpm(Fields.MY_SID_SID, mySid.sid()), 0, behavior(mySid.behavior()));
        }
        if (entry instanceof Steering steering) {
            boolean v6 = steering.destination().isIpv6();
            return direct(v6 ? Tables.STEERING_V6 : Tables.STEERING_V4,
                    vrfAndDestination(v6 ? Tables.STEERING_V6 : Tables.STEERING_V4, steering.vrf(), steering.destination()), 0,
                    call(steering.reduced() ? Actions.H_ENCAPS_RED : Actions.H_ENCAPS, unsigned(steering.sidList())));
        }
        if (entry instanceof SidList list) {
            return set(Tables.SID_LIST, List.of(new Match.Exact(Fields.SID_LIST_ID.name(), unsigned(list.id()))),
                    list.members().stream().map(member -> new Weighted(member.weight(), segments(member))).toList());
        }
        if (entry instanceof Route route) {
            Table table = route.destination().isIpv6() ? Tables.ROUTE_V6 : Tables.ROUTE_V4;
            return set(table, vrfAndDestination(table, route.vrf(), route.destination()), route.members().stream()
                    .map(member -> new Weighted(member.weight(), call(Actions.SET_NEXT_HOP, number(member.nextHop()))))
                    .toList());
        }
        if (entry instanceof NextHop hop) {
            return direct(Tables.NEXT_HOP, List.of(new Match.Exact(Fields.NEXT_HOP_ID.name(), number(hop.id()))), 0,
                    call(Actions.FORWARD, number(hop.port()), number(hop.source().value()), number(hop.destination().value())));
        }
        if (entry instanceof EncapSource source) {
            return new TableEntry(Tables.ENCAP_SOURCE.name(), List.of(),
                    new TableEntry.Action.Direct(call(Actions.SET_ENCAP_SOURCE, number(source.source()))), true, 0);
        }
        if (entry instanceof Flow flow) {
            return direct(flow.destination().isIpv6() ? Tables.FLOW_V6 : Tables.FLOW_V4, matches(flow), flow.priority(),
                    call(Actions.REPLICATE, unsigned(flow.flowId()), number(flow.group()), number(flow.copies())));
        }
        if (entry instanceof Copy copy) {
            return direct(Tables.COPY, List.of(new Match.Exact(Fields.COPY_GROUP.name(), number(copy.group())), new Match.Exact(Fields.COPY_PATH.name(), number(copy.path()))),
                    0, call(Actions.SEND_COPY, unsigned(copy.sidList())));
        }
        if (entry instanceof DedupFlow flow) {
            return direct(Tables.DEDUP_FLOW, List.of(new Match.Exact(Fields.DEDUP_FLOW_FLOW_ID.name(), unsigned(flow.flowId()))), 0,
                    call(Actions.DEDUPLICATE, number(flow.window())));
        }
        Punt punt = (Punt) entry;
        return direct(Tables.PUNT, ternaries(punt), punt.priority(), call(punt.discard() ? Actions.DISCARD : Actions.TO_CONTROLLER));
    }

    private static Entry entry(TableEntry row) {
        Table table = Tables.byName(row.table()).orElseThrow();
        if (table == Tables.MY_SID) {
            return new MySid(prefix(row, Fields.MY_SID_SID), behavior(only(row)));
        }
        if (table == Tables.STEERING_V6 || table == Tables.STEERING_V4) {
            Call call = only(row);
            return new Steering(vrf(row), prefix(row, table.fields().get(1)), value(call, 0).intValue(), call.action().equals(Actions.H_ENCAPS_RED.name()));
        }
        if (table == Tables.SID_LIST) {
            return new SidList(exact(row, 0).intValue(), members(row).stream().map(TableCodec::segments).toList());
        }
        if (table == Tables.ROUTE_V6 || table == Tables.ROUTE_V4) {
            return new Route(vrf(row), prefix(row, table.fields().get(1)), members(row).stream()
                    .map(member -> new Route.Member(member.weight(), value(member.call(), 0).intValue()))
                    .toList());
        }
        if (table == Tables.NEXT_HOP) {
            Call call = only(row);
            return new NextHop(exact(row, 0).intValue(), value(call, 0).intValue(), mac(value(call, 1)), mac(value(call, 2)));
        }
        if (table == Tables.ENCAP_SOURCE) {
            return new EncapSource(ipv6(value(only(row), 0)));
        }
        if (table == Tables.FLOW_V6 || table == Tables.FLOW_V4) {
            return flow(row, table);
        }
        if (table == Tables.COPY) {
            return new Copy(exact(row, 0).intValue(), exact(row, 1).intValue(), value(only(row), 0).intValue());
        }
        if (table == Tables.DEDUP_FLOW) {
            return new DedupFlow(exact(row, 0).intValue(), value(only(row), 0).intValue());
        }
        if (table != Tables.PUNT) {
            throw new MalformedEntryException(table.name(), "no intent has rows of it");
        }
        return new Punt(row.priority(), ternary(row, Fields.PUNT_IN_PORT), ternary(row, Fields.PUNT_ETHER_TYPE), ternary(row, Fields.PUNT_IP_PROTOCOL),
                ternary(row, Fields.PUNT_ICMPV6_TYPE), only(row).action().equals(Actions.DISCARD.name()));
    }

    private static Call behavior(Behavior behavior) {
        Action action = Actions.byName(behavior.action()).orElseThrow();
        if (behavior instanceof Behavior.Un un) {
            return call(action, number(un.blockLength()), number(un.csidLength()));
        }
        if (behavior instanceof Behavior.Ua ua) {
            return call(action, number(ua.blockLength()), number(ua.csidLength()), number(ua.nextHop()));
        }
        if (behavior instanceof Behavior.EndX endX) {
            return call(action, number(endX.nextHop()));
        }
        if (behavior instanceof Behavior.Udt udt) {
            return call(action, number(udt.vrf()));
        }
        if (behavior instanceof Behavior.Udx udx) {
            return call(action, number(udx.nextHop()));
        }
        if (behavior instanceof Behavior.B6EncapsRed b6) {
            return call(action, unsigned(b6.sidList()));
        }
        if (behavior instanceof Behavior.Dedup dedup) {
            return call(action, number(dedup.vrf()), number(dedup.path()));
        }
        return call(action); // End, with or without PSP
    }

    private static Behavior behavior(Call call) {
        Action action = Actions.byName(call.action()).orElseThrow();
        if (action == Actions.UN) {
            return new Behavior.Un(value(call, 0).intValue(), value(call, 1).intValue());
        }
        if (action == Actions.UA) {
            return new Behavior.Ua(value(call, 0).intValue(), value(call, 1).intValue(), value(call, 2).intValue());
        }
        if (action == Actions.END || action == Actions.END_PSP) {
            return new Behavior.End(action == Actions.END_PSP);
        }
        int argument = value(call, 0).intValue();
        if (action == Actions.DEDUP) {
            return new Behavior.Dedup(argument, value(call, 1).intValue());
        }
        if (action == Actions.END_X) {
            return new Behavior.EndX(argument);
        }
        if (action == Actions.B6_ENCAPS_RED) {
            return new Behavior.B6EncapsRed(argument);
        }
        if (action == Actions.UDX6 || action == Actions.UDX4) {
            return new Behavior.Udx(action == Actions.UDX6 ? Family.IPV6 : Family.IPV4, argument);
        }
        return new Behavior.Udt(action == Actions.UDT6 ? Family.IPV6 : action == Actions.UDT4 ? Family.IPV4 : Family.BOTH, argument);
    }

    private static Call segments(SidList.Member member) {
        Action action = Actions.byName(member.action()).orElseThrow(() -> new MalformedEntryException(SidList.TABLE,
                "there is no action for a list of " + member.segments().size() + " segments"));
        return call(action, member.segments().stream().map(TableCodec::number).toArray(BigInteger[]::new));
    }

    private static SidList.Member segments(Weighted member) {
        return new SidList.Member(member.weight(), member.call().arguments().stream().map(argument -> ipv6(argument.value())).toList());
    }

    private static List<Match> ternaries(Punt punt) {
        List<Match> matches = new ArrayList<>();
        add(matches, Fields.PUNT_IN_PORT, punt.inPort());
        add(matches, Fields.PUNT_ETHER_TYPE, punt.etherType());
        add(matches, Fields.PUNT_IP_PROTOCOL, punt.ipProtocol());
        add(matches, Fields.PUNT_ICMPV6_TYPE, punt.icmpv6Type());
        return matches;
    }

    private static List<Match> matches(Flow flow) {
        List<Field> fields = (flow.destination().isIpv6() ? Tables.FLOW_V6 : Tables.FLOW_V4).fields();
        List<Match> matches = new ArrayList<>();
        matches.add(new Match.Exact(fields.get(0).name(), number(flow.vrf())));
        add(matches, fields.get(1), flow.source());
        add(matches, fields.get(2), flow.destination());
        add(matches, fields.get(3), flow.ipProtocol());
        add(matches, fields.get(4), flow.sourcePort());
        add(matches, fields.get(5), flow.destinationPort());
        return matches;
    }

    private static Flow flow(TableEntry row, Table table) {
        List<Field> fields = table.fields();
        Call call = only(row);
        return new Flow(row.priority(), vrf(row), prefixUnderMask(row, fields.get(1)), prefixUnderMask(row, fields.get(2)),
                ternary(row, fields.get(3)), ternary(row, fields.get(4)), ternary(row, fields.get(5)),
                value(call, 0).intValue(), value(call, 1).intValue(), value(call, 2).intValue());
    }

    /** A prefix as the mask of its length; length 0 matches everything and is left out. */
    private static void add(List<Match> matches, Field field, IpPrefix prefix) {
        if (prefix.length() > 0) {
            matches.add(new Match.Ternary(field.name(), number(prefix.address()), mask(field, prefix.length())));
        }
    }

    private static IpPrefix prefixUnderMask(TableEntry row, Field field) {
        Optional<Match.Ternary> match = match(row, field).map(Match.Ternary.class::cast);
        BigInteger value = match.map(Match.Ternary::value).orElse(BigInteger.ZERO);
        int length = match.map(one -> one.mask().bitCount()).orElse(0);
        if (match.isPresent() && !match.get().mask().equals(mask(field, length))) {
            throw new MalformedEntryException(row.table(), "the mask of " + field.name() + " is not that of a prefix");
        }
        return new IpPrefix(field.bits() == 32 ? new Ipv4(value.intValue()) : ipv6(value), length);
    }

    private static BigInteger mask(Field field, int length) {
        return BigInteger.ONE.shiftLeft(length).subtract(BigInteger.ONE).shiftLeft(field.bits() - length);
    }

    private static void add(List<Match> matches, Field field, Optional<Punt.Ternary> value) {
        value.ifPresent(ternary -> matches.add(new Match.Ternary(field.name(), number(ternary.value()), number(ternary.mask()))));
    }

    private static Optional<Punt.Ternary> ternary(TableEntry row, Field field) {
        return match(row, field).map(Match.Ternary.class::cast).map(match -> new Punt.Ternary(match.value().intValue(), match.mask().intValue()));
    }

    // Rows: building and taking apart.

    private static TableEntry direct(Table table, List<Match> matches, int priority, Call call) {
        return new TableEntry(table.name(), matches, new TableEntry.Action.Direct(call), false, priority);
    }

    private static TableEntry set(Table table, List<Match> matches, List<Weighted> members) {
        return new TableEntry(table.name(), matches, new TableEntry.Action.OneShot(members), false, 0);
    }

    private static Call call(Action action, BigInteger... values) {
        List<TableEntry.Argument> arguments = new ArrayList<>(values.length);
        for (int i = 0; i < values.length; i++) {
            Param param = action.params().get(i);
            arguments.add(new TableEntry.Argument(param.name(), values[i]));
        }
        return new Call(action.name(), arguments);
    }

    private static Call only(TableEntry row) {
        return ((TableEntry.Action.Direct) row.action()).call();
    }

    private static List<Weighted> members(TableEntry row) {
        return ((TableEntry.Action.OneShot) row.action()).members();
    }

    private static BigInteger value(Call call, int index) {
        return call.arguments().get(index).value();
    }

    private static Optional<Match> match(TableEntry row, Field field) {
        return row.matches().stream().filter(match -> match.field().equals(field.name())).findFirst();
    }

    private static List<Match> vrfAndDestination(Table table, int vrf, IpPrefix destination) {
        List<Match> matches = new ArrayList<>();
        matches.add(new Match.Exact(table.fields().get(0).name(), number(vrf)));
        matches.addAll(lpm(table.fields().get(1), destination));
        return matches;
    }

    private static int vrf(TableEntry row) {
        return exact(row, 0).intValue();
    }

    private static BigInteger exact(TableEntry row, int index) {
        return ((Match.Exact) row.matches().get(index)).value();
    }

    /** Length 0 matches everything and is left out. */
    private static List<Match> lpm(Field field, IpPrefix prefix) {
        return prefix.length() == 0 ? List.of() : List.of(new Match.Lpm(field.name(), number(prefix.address()), prefix.length()));
    }

    private static IpPrefix prefix(TableEntry row, Field field) {
        Optional<Match> match = match(row, field);
        BigInteger value = match.map(one -> ((Match.Lpm) one).value()).orElse(BigInteger.ZERO);
        int length = match.map(one -> ((Match.Lpm) one).length()).orElse(0);
        return new IpPrefix(field.bits() == 32 ? new Ipv4(value.intValue()) : ipv6(value), length);
    }

    // Numbers.

    private static BigInteger number(long value) {
        return BigInteger.valueOf(value);
    }

    private static BigInteger unsigned(int value) {
        return BigInteger.valueOf(Integer.toUnsignedLong(value));
    }

    private static BigInteger number(IpAddress address) {
        return new BigInteger(1, address.toBytes());
    }

    private static Ipv6 ipv6(BigInteger value) {
        return new Ipv6(value.shiftRight(64).longValue(), value.longValue());
    }

    private static MacAddress mac(BigInteger value) {
        return new MacAddress(value.longValue());
    }
}
