// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.table.EntryTypes.EntryType;

/**
 * Source addresses of the headers that nodes of the domain push, and those of admitted peers (docs/reference/edge.md).
 * At an external port only a {@linkplain EdgePeer peer} may send from them.
 */
public record EdgeSource(IpPrefix source) implements Entry {
    public static final String TABLE = Tables.EDGE_SOURCE.name();

    static final EntryType TYPE =
            new EntryType(List.of(Tables.EDGE_SOURCE), row -> new EdgeSource(row.lpm()), text -> text);

    public EdgeSource {
        Range.ipv6(source);
    }

    @Override
    public Key key() {
        return new Key(TABLE, "src " + source);
    }

    @Override
    public Stage stage() {
        return Stage.ADJACENCY;
    }

    @Override
    public TableEntry row() {
        return RowBuilder.in(Tables.EDGE_SOURCE).lpm(source).does(Actions.DOMAIN_SOURCE);
    }

    @Override
    public String actionText() {
        return "domain_source";
    }
}
