// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.table.EntryTypes.EntryType;

/**
 * A Live-Live flow ends at this node (docs/reference/livelive.md): only flows with this row are delivered.
 *
 * @param flowId unsigned, as in the TLV
 * @param window 0 to 63, of no other flow of the node: the window in which its packets are tracked and counted
 */
public record DedupFlow(int flowId, int window) implements Entry {
    public static final String TABLE = Tables.DEDUP_FLOW.name();

    static final EntryType TYPE = new EntryType(
            List.of(Tables.DEDUP_FLOW),
            row -> new DedupFlow(row.exact(), row.call().number()),
            text -> text);

    public DedupFlow {
        Range.require("window", window, 0, 63);
    }

    @Override
    public Key key() {
        return new Key(TABLE, "flow_id " + Integer.toUnsignedString(flowId));
    }

    @Override
    public Stage stage() {
        return Stage.BEHAVIORS;
    }

    @Override
    public TableEntry row() {
        return RowBuilder.in(Tables.DEDUP_FLOW).exact(flowId).does(Actions.DEDUPLICATE, Values.number(window));
    }

    @Override
    public String actionText() {
        return "deduplicate window " + window;
    }
}
