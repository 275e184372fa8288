// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import org.sextant.contract.Tables;

/**
 * The segment list of one path of a group (docs/reference/livelive.md).
 *
 * @param path 1 to 15, as in {@link Behavior.Dedup}
 * @param sidList unsigned
 */
public record Copy(int group, int path, int sidList) implements Entry {
    public static final String TABLE = Tables.COPY.name();

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
}
