// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.PrintStream;
import org.apache.karaf.shell.support.table.ShellTable;

/** Prints a view either as JSON or as the table a command makes of it. */
final class JsonPrinter {
    private JsonPrinter() {}

    static void json(JsonNode view, PrintStream out) throws JsonProcessingException {
        out.println(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(view));
    }

    /** One row per element of {@code rows}, one column per field; a field that is missing is an empty cell. */
    static void table(JsonNode rows, PrintStream out, String empty, String... fields) {
        ShellTable table = new ShellTable().emptyTableText(empty);
        for (String field : fields) {
            table.column(field);
        }
        for (JsonNode row : rows) {
            Object[] cells = new Object[fields.length];
            for (int i = 0; i < fields.length; i++) {
                cells[i] = cell(row.at("/" + fields[i].replace('.', '/')));
            }
            table.addRow().addContent(cells);
        }
        table.print(out);
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
