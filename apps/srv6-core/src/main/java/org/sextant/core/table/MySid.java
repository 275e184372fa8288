// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import org.sextant.contract.Tables;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.table.EntryTypes.EntryType;

/** A local SID of the node and its behavior (RFC 8986, 4; RFC 9800, 4.1). */
public record MySid(IpPrefix sid, Behavior behavior) implements Entry {
    public static final String TABLE = Tables.MY_SID.name();

    static final EntryType TYPE = new EntryType(
            List.of(Tables.MY_SID), row -> new MySid(row.lpm(), Behaviors.of(row.call())), IpPrefix::parse);

    public MySid {
        Objects.requireNonNull(behavior);
        if (!sid.isIpv6()) {
            throw new IllegalArgumentException("a SID is an IPv6 prefix, not " + sid);
        }
    }

    @Override
    public Key key() {
        return new Key(TABLE, sid);
    }

    @Override
    public Stage stage() {
        return Stage.BEHAVIORS;
    }

    @Override
    public Set<Integer> leavesBy() {
        return behavior.leavesBy();
    }

    @Override
    public OptionalInt sendsInto() {
        return behavior.sendsInto();
    }

    @Override
    public TableEntry row() {
        return RowBuilder.in(Tables.MY_SID).lpm(sid).does(behavior.call());
    }

    @Override
    public String actionText() {
        return behavior.text();
    }
}
