// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.text;

import java.util.ArrayList;
import java.util.List;

/** Rows of text, each column as wide as its widest cell. */
public final class Columns {
    private final List<List<String>> rows = new ArrayList<>();
    private final List<Integer> widths = new ArrayList<>();

    public Columns row(String... cells) {
        rows.add(List.of(cells));
        for (int column = 0; column < cells.length; column++) {
            if (column == widths.size()) {
                widths.add(0);
            }
            widths.set(column, Math.max(widths.get(column), cells[column].length()));
        }
        return this;
    }

    /** One line per row, each behind {@code indent}, without trailing blanks. */
    public String text(String indent) {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(indent);
            for (int column = 0; column < row.size(); column++) {
                line.append(row.get(column))
                        .append(" ".repeat(widths.get(column) - row.get(column).length() + 2));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
