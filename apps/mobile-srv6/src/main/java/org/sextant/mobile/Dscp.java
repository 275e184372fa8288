// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.sextant.core.json.Suggestion;

/** Names of code points: CS0 to CS7 (RFC 2474), AF11 to AF43 (RFC 2597), EF (RFC 3246), VA (RFC 5865), LE (RFC 8622). */
final class Dscp {
    private static final Map<String, Integer> NAMES = names();

    private Dscp() {}

    private static Map<String, Integer> names() {
        Map<String, Integer> names = new LinkedHashMap<>();
        for (int selector = 0; selector < 8; selector++) {
            names.put("CS" + selector, selector << 3);
        }
        for (int group = 1; group <= 4; group++) {
            for (int precedence = 1; precedence <= 3; precedence++) {
                names.put("AF" + group + precedence, group << 3 | precedence << 1);
            }
        }
        names.put("EF", 46);
        names.put("VA", 44);
        names.put("LE", 1);
        return Map.copyOf(names);
    }

    /** Reads a name, or a number from 0 to 63. */
    static int parse(String text) {
        Integer named = NAMES.get(text.toUpperCase(Locale.ROOT));
        if (named != null) {
            return named;
        }
        if (text.matches("[0-9]{1,2}") && Integer.parseInt(text) < 64) {
            return Integer.parseInt(text);
        }
        String near = Suggestion.nearest(text.toUpperCase(Locale.ROOT), NAMES.keySet())
                .map(name -> "; did you mean " + name + "?")
                .orElse("");
        throw new IllegalArgumentException("\"" + text + "\" is not a DSCP" + near);
    }
}
