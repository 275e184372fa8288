// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import org.sextant.core.text.Columns;

/** A view as a table. */
final class JsonTable {
    private JsonTable() {}

    /** A heading, then one row per element of {@code rows}; a field that is missing is an empty cell. */
    static String of(Iterable<? extends JsonNode> rows, String... fields) {
        Columns table = new Columns().row(fields);
        for (JsonNode row : rows) {
            String[] cells = new String[fields.length];
            for (int i = 0; i < fields.length; i++) {
                cells[i] = cell(row.at("/" + fields[i].replace('.', '/')));
            }
            table.row(cells);
        }
        return table.text("");
    }

    private static String cell(JsonNode value) {
        if (!value.isArray()) {
            return value.asText();
        }
        StringBuilder text = new StringBuilder();
        value.forEach(item -> text.append(text.length() == 0 ? "" : ", ").append(item.asText()));
        return text.toString();
    }
}
