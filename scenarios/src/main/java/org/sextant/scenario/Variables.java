// SPDX-License-Identifier: Apache-2.0
package org.sextant.scenario;

import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Replaces {@code ${NAME}}. */
final class Variables {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");

    private Variables() {}

    /** @throws IllegalArgumentException for a variable that has no value */
    static String expand(String text, Map<String, String> values) {
        return REFERENCE.matcher(text).replaceAll(match -> Matcher.quoteReplacement(value(match, values)));
    }

    private static String value(MatchResult reference, Map<String, String> values) {
        String value = values.get(reference.group(1));
        if (value == null) {
            throw new IllegalArgumentException(
                    "${" + reference.group(1) + "} has no value: export " + reference.group(1));
        }
        return value;
    }
}
