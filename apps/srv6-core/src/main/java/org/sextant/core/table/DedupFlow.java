// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import org.sextant.contract.Tables;

/**
 * A Live-Live flow ends at this node (docs/reference/livelive.md): only flows with this row are delivered.
 *
 * @param flowId unsigned, as in the TLV
 * @param window 0 to 63, of no other flow of the node: where its packets are remembered and counted
 */
public record DedupFlow(int flowId, int window) implements Entry {
    public static final String TABLE = Tables.DEDUP_FLOW.name();

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
}
