// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.json;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Suggests a replacement for an unknown name: the one that was likely meant, or all known ones. A guess that has little
 * in common with the word would only mislead the user.
 */
public final class Suggestion {
    private static final int MOST_NAMES = 10;

    private Suggestion() {}

    /** A remedy: "did you mean l1?", or "the nodes are l1, l2", or "the network has no nodes yet". */
    public static String of(String word, Collection<String> names, String what) {
        if (names.isEmpty()) {
            return "the network has no " + what + " yet";
        }
        return nearest(word, names)
                .map(name -> "did you mean " + name + "?")
                .orElseGet(() -> "the " + what + " are " + abridged(names));
    }

    /** The name that a slip or a few make of {@code word}, ignoring case: one letter in three, and never all of them. */
    public static Optional<String> nearest(String word, Collection<String> names) {
        String wanted = Fields.shorten(word).toLowerCase(Locale.ROOT);
        int bound = Math.min(Math.max(1, wanted.length() / 3), wanted.length() - 1);
        String best = null;
        int bestDistance = bound + 1;
        for (String name : names) {
            int distance = distance(wanted, name.toLowerCase(Locale.ROOT));
            if (distance < bestDistance) {
                best = name;
                bestDistance = distance;
            }
        }
        return Optional.ofNullable(best);
    }

    private static String abridged(Collection<String> names) {
        String first = names.stream().limit(MOST_NAMES).map(Fields::shorten).collect(Collectors.joining(", "));
        return names.size() > MOST_NAMES ? first + ", …" : first;
    }

    /** The edit distance of Levenshtein. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substitute = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substitute, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
