// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.history;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A series in a line of text. The smallest value is the lowest block, as zero is the floor of values that are never
 * negative; a gap is a dot.
 */
public record SparkText(String min, String last, String max, String line) {
    private static final String BLOCKS = "▁▂▃▄▅▆▇█";
    private static final char GAP = '·';
    private static final String UNKNOWN = "-";
    private static final double FEW = 100;

    /** @param values numbers and nulls */
    public static SparkText of(JsonNode values) {
        List<Double> known = new ArrayList<>();
        values.forEach(value -> {
            if (value.isNumber()) {
                known.add(value.doubleValue());
            }
        });
        double max = known.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        StringBuilder line = new StringBuilder();
        values.forEach(value -> line.append(value.isNumber() ? block(value.doubleValue(), max) : GAP));
        if (known.isEmpty()) {
            return new SparkText(UNKNOWN, UNKNOWN, UNKNOWN, line.toString());
        }
        JsonNode last = values.get(values.size() - 1);
        double min = known.stream().mapToDouble(Double::doubleValue).min().orElse(0);
        return new SparkText(
                number(min), last.isNumber() ? number(last.doubleValue()) : UNKNOWN, number(max), line.toString());
    }

    private static char block(double value, double max) {
        int top = BLOCKS.length() - 1;
        return BLOCKS.charAt(max <= 0 ? 0 : (int) Math.max(0, Math.min(top, Math.round(top * value / max))));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, Math.abs(value) >= FEW || value == Math.rint(value) ? "%.0f" : "%.1f", value);
    }
}
