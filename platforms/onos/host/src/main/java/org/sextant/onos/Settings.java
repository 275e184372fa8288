// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The component's properties; see {@code OnosComponent.cfgdef} for their meaning.
 *
 * @param adoptEntries whether ONOS keeps the rows of nodes when controllers start again
 * @param recording file for the messages of the engine; empty: nothing is recorded
 */
record Settings(int coalesceMillis, Duration writePatience, boolean adoptEntries, Optional<Path> recording) {
    static final String COALESCE = "coalesceMillis";
    static final String PATIENCE = "writeTimeoutSeconds";
    static final String ADOPT = "adoptEntries";
    static final String RECORDING = "recording";

    /** @throws IllegalArgumentException naming the property, its value and the expected form */
    static Settings of(Map<String, ?> values) {
        return new Settings(
                number(values, COALESCE, 20, 0, 5_000),
                Duration.ofSeconds(number(values, PATIENCE, 15, 1, 300)),
                !"false".equalsIgnoreCase(text(values, ADOPT, "true")),
                Optional.of(text(values, RECORDING, ""))
                        .filter(file -> !file.isEmpty())
                        .map(Path::of));
    }

    private static String text(Map<String, ?> values, String key, String otherwise) {
        Object value = values.get(key);
        return value == null || value.toString().isBlank()
                ? otherwise
                : value.toString().trim();
    }

    private static int number(Map<String, ?> values, String key, int otherwise, int least, int most) {
        String text = text(values, key, Integer.toString(otherwise));
        if (!text.matches("[0-9]{1,6}") || Integer.parseInt(text) < least || Integer.parseInt(text) > most) {
            throw new IllegalArgumentException(key + " = " + text + " is not a number from " + least + " to " + most);
        }
        return Integer.parseInt(text);
    }
}
