// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import java.util.OptionalInt;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.table.EntryTypes.EntryType;

/**
 * The segment list of one path of a group (docs/reference/livelive.md).
 *
 * @param path 1 to 15, as in {@link Behavior.Dedup}
 * @param sidList unsigned
 */
public record Copy(int group, int path, int sidList) implements Entry {
    public static final String TABLE = Tables.COPY.name();

    static final EntryType TYPE = new EntryType(
            List.of(Tables.COPY),
            row -> new Copy(row.exact(), row.exact(), row.call().number()),
            text -> text);

    public Copy {
        Range.require("group", group, 1, 0xffff);
        Range.path(path);
    }

    @Override
    public Key key() {
        return new Key(TABLE, "group " + group + " path " + path);
    }

    @Override
    public Stage stage() {
        return Stage.BEHAVIORS;
    }

    @Override
    public OptionalInt sendsInto() {
        return OptionalInt.of(sidList);
    }

    @Override
    public TableEntry row() {
        return RowBuilder.in(Tables.COPY).exact(group).exact(path).does(Actions.SEND_COPY, Values.number(sidList));
    }

    @Override
    public String actionText() {
        return "send_copy sid_list " + Integer.toUnsignedString(sidList);
    }
}
