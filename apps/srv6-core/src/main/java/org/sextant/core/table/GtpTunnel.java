// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import java.util.Objects;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.table.EntryTypes.EntryType;

/**
 * The class of a mobile session whose GTP-U enters here (docs/reference/mobile-node.md).
 *
 * @param endpoint that GTP-U is sent to
 * @param teid unsigned
 * @param sessionClass that a {@link GtpRule} may match
 */
public record GtpTunnel(int vrf, IpAddress endpoint, int teid, int sessionClass) implements Entry {
    public static final String TABLE = Tables.GTP_TUNNEL.name();

    static final EntryType TYPE = new EntryType(
            List.of(Tables.GTP_TUNNEL),
            row -> new GtpTunnel(
                    row.exact(), row.exactAddress(), row.exact(), row.call().number()),
            Matched.Tunnel::parse);

    public GtpTunnel {
        Range.vrf(vrf);
        Objects.requireNonNull(endpoint);
        Range.require("class", sessionClass, 0, 0xffff);
    }

    @Override
    public Key key() {
        return new Key(TABLE, new Matched.Tunnel(vrf, endpoint, teid));
    }

    @Override
    public Stage stage() {
        return Stage.INGRESS;
    }

    @Override
    public TableEntry row() {
        return RowBuilder.in(Tables.GTP_TUNNEL)
                .exact(vrf)
                .exactAddress(endpoint)
                .exact(teid)
                .does(Actions.SET_CLASS, Values.number(sessionClass));
    }

    @Override
    public String actionText() {
        return "set_class " + sessionClass;
    }
}
