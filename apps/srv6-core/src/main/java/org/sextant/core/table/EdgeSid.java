// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.table.EntryTypes.EntryType;

/**
 * SIDs of the domain, by their prefix; the longest decides (docs/reference/edge.md).
 *
 * @param open true if packets from outside may be sent to them, such as those that RFC 9433, 6.5 describes for a gNB
 */
public record EdgeSid(IpPrefix destination, boolean open) implements Entry {
    public static final String TABLE = Tables.EDGE_SID.name();

    static final EntryType TYPE = new EntryType(
            List.of(Tables.EDGE_SID), row -> new EdgeSid(row.lpm(), row.call().is(Actions.REACHABLE)), text -> text);

    public EdgeSid {
        Range.ipv6(destination);
    }

    @Override
    public Key key() {
        return new Key(TABLE, "dst " + destination);
    }

    @Override
    public Stage stage() {
        return Stage.ADJACENCY;
    }

    @Override
    public Change from(Entry before) {
        return open ? Change.WIDENS : Change.NARROWS;
    }

    @Override
    public TableEntry row() {
        return RowBuilder.in(Tables.EDGE_SID).lpm(destination).does(open ? Actions.REACHABLE : Actions.PROTECT);
    }

    @Override
    public String actionText() {
        return open ? "reachable" : "protect";
    }
}
