// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.EntryTypes.EntryType;

/**
 * Packets to an address of a mobile session enter its slice (docs/reference/mobile-node.md).
 *
 * @param sidList the segment list of the slice, unsigned; 0 for none
 * @param argsAt the bit of the last SID of the list where {@code args} are written; 0 is not written
 * @param args Args.Mob.Session (RFC 9433, 6.1)
 * @param last one more segment behind the list; :: is none
 * @param source of the outer header; :: is that of {@link EncapSource}
 */
public record Ue(int vrf, IpPrefix destination, int sidList, int argsAt, long args, Ipv6 last, Ipv6 source)
        implements Entry {
    public static final String TABLE_V6 = Tables.UE_V6.name();
    public static final String TABLE_V4 = Tables.UE_V4.name();

    static final EntryType TYPE =
            new EntryType(List.of(Tables.UE_V6, Tables.UE_V4), Ue::read, Matched.Destination::parse);

    private static final int SESSION_BITS = 40;

    public Ue {
        Range.vrf(vrf);
        Objects.requireNonNull(destination);
        Range.place("position of the arguments", argsAt, SESSION_BITS);
        Range.require("Args.Mob.Session", args, 0, (1L << SESSION_BITS) - 1);
        Objects.requireNonNull(last);
        Objects.requireNonNull(source);
    }

    @Override
    public Key key() {
        return new Key(destination.isIpv6() ? TABLE_V6 : TABLE_V4, new Matched.Destination(vrf, destination));
    }

    @Override
    public Stage stage() {
        return Stage.INGRESS;
    }

    @Override
    public OptionalInt sendsInto() {
        return sidList == 0 ? OptionalInt.empty() : OptionalInt.of(sidList);
    }

    @Override
    public TableEntry row() {
        return RowBuilder.in(destination.isIpv6() ? Tables.UE_V6 : Tables.UE_V4)
                .exact(vrf)
                .lpm(destination)
                .does(
                        Actions.SEND_TO,
                        Values.number(sidList),
                        Values.number(argsAt),
                        Values.wide(args),
                        Values.number(last),
                        Values.number(source));
    }

    private static Ue read(RowReader row) {
        CallReader call = row.call();
        return new Ue(row.exact(), row.lpm(), call.number(), call.number(), call.wide(), call.ipv6(), call.ipv6());
    }

    @Override
    public String actionText() {
        return "send_to sid_list " + Integer.toUnsignedString(sidList) + " args_at " + argsAt + " args "
                + Long.toHexString(args) + " last " + last + " source " + source;
    }
}
