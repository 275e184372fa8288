// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.table.EntryTypes.EntryType;

/**
 * A peer outside of the domain that may reach SIDs through one external port of a node (docs/reference/edge.md).
 *
 * @param source the peer's addresses, which no other host behind that port may send from: the node checks nothing else
 */
public record EdgePeer(int port, IpPrefix source) implements Entry {
    public static final String TABLE = Tables.EDGE_PEER.name();

    static final EntryType TYPE =
            new EntryType(List.of(Tables.EDGE_PEER), row -> new EdgePeer(row.exact(), row.lpm()), text -> text);

    public EdgePeer {
        Range.port(port);
        Range.ipv6(source);
    }

    @Override
    public Key key() {
        return new Key(TABLE, "in_port " + port + " src " + source);
    }

    @Override
    public Stage stage() {
        return Stage.ADJACENCY;
    }

    @Override
    public TableEntry row() {
        return RowBuilder.in(Tables.EDGE_PEER).exact(port).lpm(source).does(Actions.PEER);
    }

    @Override
    public String actionText() {
        return "peer";
    }
}
