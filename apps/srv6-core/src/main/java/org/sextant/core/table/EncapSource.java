// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import java.util.Objects;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.EntryTypes.EntryType;

/** The source address of every outer header this node pushes; the default entry of a table without a key. */
public record EncapSource(Ipv6 source) implements Entry {
    public static final String TABLE = Tables.ENCAP_SOURCE.name();

    static final EntryType TYPE = new EntryType(
            List.of(Tables.ENCAP_SOURCE), row -> new EncapSource(row.call().ipv6()), text -> text);

    public EncapSource {
        Objects.requireNonNull(source);
    }

    @Override
    public Key key() {
        return new Key(TABLE, "");
    }

    @Override
    public Stage stage() {
        return Stage.ADJACENCY;
    }

    @Override
    public TableEntry row() {
        return RowBuilder.in(Tables.ENCAP_SOURCE).does(Actions.SET_ENCAP_SOURCE, Values.number(source));
    }

    @Override
    public String actionText() {
        return "set_encap_source " + source;
    }
}
