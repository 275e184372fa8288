// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.table.EntryTypes.EntryType;

/**
 * Packets that match are numbered and copied over the paths of a group: a Live-Live ingress
 * (docs/reference/livelive.md). Looked up before steering; the highest priority wins.
 *
 * @param source of the family of {@code destination}; length 0 matches any
 * @param ipProtocol behind the extension headers; empty matches any
 * @param sourcePort, destinationPort of TCP and UDP; 0 of everything else, and of fragments
 * @param flowId unsigned, as in the TLV; the same at the egress
 * @param group 1 or more; its sequence numbers, and its {@link Copy} rows
 * @param copies how many: the highest path number of the group
 */
public record Flow(
        int priority,
        int vrf,
        IpPrefix source,
        IpPrefix destination,
        Optional<Ternary> ipProtocol,
        Optional<Ternary> sourcePort,
        Optional<Ternary> destinationPort,
        int flowId,
        int group,
        int copies)
        implements Entry {
    public static final String TABLE_V6 = Tables.FLOW_V6.name();
    public static final String TABLE_V4 = Tables.FLOW_V4.name();

    static final EntryType TYPE = new EntryType(List.of(Tables.FLOW_V6, Tables.FLOW_V4), Flow::read, text -> text);

    public Flow {
        if (priority < 1) {
            throw new IllegalArgumentException("a ternary entry has a priority of 1 or more");
        }
        Range.vrf(vrf);
        if (source.isIpv6() != destination.isIpv6()) {
            throw new IllegalArgumentException(source + " and " + destination + " are of two families");
        }
        Objects.requireNonNull(ipProtocol);
        Objects.requireNonNull(sourcePort);
        Objects.requireNonNull(destinationPort);
        Range.require("group", group, 1, 0xffff);
        Range.path(copies);
    }

    @Override
    public Key key() {
        return new Key(
                destination.isIpv6() ? TABLE_V6 : TABLE_V4,
                "priority " + priority + " vrf " + vrf + " " + source + " " + destination
                        + Ternary.text("ip_protocol", ipProtocol)
                        + Ternary.text("l4_src_port", sourcePort)
                        + Ternary.text("l4_dst_port", destinationPort));
    }

    @Override
    public Stage stage() {
        return Stage.INGRESS;
    }

    @Override
    public TableEntry row() {
        return RowBuilder.in(destination.isIpv6() ? Tables.FLOW_V6 : Tables.FLOW_V4)
                .priority(priority)
                .exact(vrf)
                .ternary(source)
                .ternary(destination)
                .ternary(ipProtocol)
                .ternary(sourcePort)
                .ternary(destinationPort)
                .does(Actions.REPLICATE, Values.number(flowId), Values.number(group), Values.number(copies));
    }

    private static Flow read(RowReader row) {
        CallReader call = row.call();
        return new Flow(
                row.priority(),
                row.exact(),
                row.ternaryPrefix(),
                row.ternaryPrefix(),
                row.ternary(),
                row.ternary(),
                row.ternary(),
                call.number(),
                call.number(),
                call.number());
    }

    @Override
    public String actionText() {
        return "replicate flow_id " + Integer.toUnsignedString(flowId) + " group " + group + " copies " + copies;
    }
}
