// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import java.util.OptionalInt;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.table.EntryTypes.EntryType;

/**
 * The backup path of a prefix, used when no member of its {@link Route} can be used any more: encapsulation with the
 * segment list of the repair (TI-LFA, RFC 9855; H.Encaps.Red, RFC 8986, 5.2). The node switches on its own, and back,
 * by the carrier of its ports.
 *
 * @param destination of IPv6
 * @param sidList unsigned; its first SID may be one of the node's own
 */
public record Standby(int vrf, IpPrefix destination, int sidList) implements Entry {
    public static final String TABLE = Tables.STANDBY_V6.name();

    static final EntryType TYPE = new EntryType(
            List.of(Tables.STANDBY_V6),
            row -> new Standby(row.exact(), row.lpm(), row.call().number()),
            Matched.Destination::parse);

    public Standby {
        Range.vrf(vrf);
        if (!destination.isIpv6()) {
            throw new IllegalArgumentException("a standby to " + destination + ": there are those of IPv6 only");
        }
    }

    @Override
    public Key key() {
        return new Key(TABLE, new Matched.Destination(vrf, destination));
    }

    /** Behind the node's own SIDs, with which its list may begin. */
    @Override
    public Stage stage() {
        return Stage.INGRESS;
    }

    @Override
    public OptionalInt sendsInto() {
        return OptionalInt.of(sidList);
    }

    @Override
    public TableEntry row() {
        return RowBuilder.in(Tables.STANDBY_V6)
                .exact(vrf)
                .lpm(destination)
                .does(Actions.REPAIR, Values.number(sidList));
    }

    @Override
    public String actionText() {
        return "repair sid_list " + Integer.toUnsignedString(sidList);
    }
}
