// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import java.util.OptionalInt;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.table.EntryTypes.EntryType;

/**
 * The number of times that a switch has lost its sequence numbers (docs/reference/livelive.md); the default entry of a
 * table without a key. The switch loses this entry with them.
 *
 * @param epoch 1 to 65535
 */
public record Epoch(int epoch) implements Entry {
    public static final String TABLE = Tables.EPOCH.name();
    private static final int LAST = 0xffff;

    static final EntryType TYPE =
            new EntryType(List.of(Tables.EPOCH), row -> new Epoch(row.call().number()), text -> text);

    public Epoch {
        Range.require("epoch", epoch, 1, LAST);
    }

    /** The epoch of a boot, counted from 1: the first one follows the last. */
    public static Epoch ofLife(int life) {
        return new Epoch((life - 1) % LAST + 1);
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
    public OptionalInt life() {
        return OptionalInt.of(epoch);
    }

    @Override
    public TableEntry row() {
        return RowBuilder.in(Tables.EPOCH).does(Actions.SET_EPOCH, Values.number(epoch));
    }

    @Override
    public String actionText() {
        return "set_epoch " + epoch;
    }
}
