// SPDX-License-Identifier: Apache-2.0
package org.sextant.contract;

import java.util.List;

/**
 * A table.
 *
 * @param fields in the order of their ids, on some target; none if only the default entry exists
 * @param actions that an entry, or the default entry of a table without a key, may have on some target
 * @param oneShot entries carry a weighted set of actions instead of one
 */
public record Table(int id, String name, List<Field> fields, List<Action> actions, boolean oneShot) {
    public Table {
        fields = List.copyOf(fields);
        actions = List.copyOf(actions);
    }
}
