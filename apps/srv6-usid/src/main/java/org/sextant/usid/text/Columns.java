// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.text;

import java.util.ArrayList;
import java.util.List;

/** Rows of text, each column as wide as its widest cell. */
public final class Columns {
    private final List<List<String>> rows = new ArrayList<>();

    public Columns row(String... cells) {
        rows.add(List.of(cells));
        return this;
    }

    /** One line per row, each behind {@code indent}, without trailing blanks. */
    public String text(String indent) {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(indent);
            for (int column = 0; column < row.size(); column++) {
                line.append(row.get(column))
                        .append(" ".repeat(width(column) - row.get(column).length() + 2));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private int width(int column) {
        return rows.stream()
                .filter(row -> row.size() > column)
                .mapToInt(row -> row.get(column).length())
                .max()
                .orElse(0);
    }
}
