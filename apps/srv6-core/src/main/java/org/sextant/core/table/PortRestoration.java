// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.table.EntryTypes.EntryType;

/**
 * A port of a node that waits when its carrier is back (wait-to-restore, ITU-T G.808.1): routes with another usable
 * next hop do not use it until it has had its carrier for so long without a gap, or until a route with it is written.
 * The node decides on its own, by the controller's rule for links.
 *
 * @param waitMillis 1 to 3,600,000; a port without this entry does not wait
 */
public record PortRestoration(int port, int waitMillis) implements Entry {
    public static final String TABLE = Tables.RESTORATION.name();

    public static final String ACTION = Actions.WAIT_TO_RESTORE.name();

    private static final int HOUR_MILLIS = 3_600_000;

    static final EntryType TYPE = new EntryType(
            List.of(Tables.RESTORATION),
            row -> new PortRestoration(row.exact(), row.call().number()),
            text -> text);

    public PortRestoration {
        Range.port(port);
        Range.require("millis", Integer.toUnsignedLong(waitMillis), 1, HOUR_MILLIS);
    }

    @Override
    public Key key() {
        return new Key(TABLE, "port " + port);
    }

    /** Before the routes and standbys that it affects. */
    @Override
    public Stage stage() {
        return Stage.LISTS;
    }

    @Override
    public TableEntry row() {
        return RowBuilder.in(Tables.RESTORATION).exact(port).does(Actions.WAIT_TO_RESTORE, Values.number(waitMillis));
    }

    @Override
    public String actionText() {
        return "wait_to_restore millis " + waitMillis;
    }
}
