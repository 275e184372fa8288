// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.json;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Describes the syntax error of a text that is not JSON, for the text's author. The library's own messages refer to its
 * settings ("enable `JsonReadFeature…`") and to its buffers.
 */
final class JsonFault {
    private static final List<Words> WORDS = List.of(
            new Words(
                    "Unexpected character \\('(.)' .*to start field name",
                    "'$1' where a name in double quotes belongs"),
            new Words("Unexpected character \\('(.)' .*a colon to separate.*", "'$1' where a colon belongs"),
            new Words("Unexpected character \\('(.)' .*comma to separate.*", "'$1' where a comma or the end belongs"),
            new Words("Unexpected character \\('(.)' .*comment.*", "'$1': JSON has no comments"),
            new Words("Unexpected character \\('(.)' .*hex-digit.*", "'$1' where \\\\u wants four hexadecimal digits"),
            new Words("Unexpected character \\('(.)' .*", "'$1' belongs to no JSON value here"),
            new Words(
                    "(?:Non-standard|Unrecognized) token '(.*?)':.*",
                    "'$1' is no JSON value; text stands in double quotes"),
            new Words("Unexpected close marker '(.)'.*\\(for root.*", "'$1' closes nothing"),
            new Words("Unexpected close marker '(.)': expected '(.)'.*", "'$1' where '$2' belongs"),
            new Words("Unexpected close marker '(.)'.*", "'$1' closes nothing"),
            new Words("Unexpected end-of-input.*", "it ends too early"),
            new Words("Duplicate field '(.*)'.*", "the field '$1' is there twice"),
            new Words(
                    "Illegal unquoted character.*",
                    "a line break or another control character in a text; write it as \\\\n, \\\\t or \\\\u001f"),
            new Words("Unrecognized character escape '(.)'.*", "'\\\\$1' is no escape of JSON's"),
            new Words("Invalid numeric value: Leading zeroes.*", "a number with a zero in front"),
            new Words("Invalid numeric value.*", "a number that is none"),
            new Words("Invalid UTF-.*", "bytes that are not UTF-8"));

    private JsonFault() {}

    private record Words(Pattern theirs, String ours) {
        Words(String theirs, String ours) {
            this(Pattern.compile(theirs, Pattern.DOTALL), ours);
        }
    }

    /** @param message of Jackson's exception, without the place */
    static String words(String message) {
        for (Words words : WORDS) {
            Matcher matcher = words.theirs.matcher(message);
            if (matcher.matches()) {
                return Fields.shorten(matcher.replaceFirst(words.ours));
            }
        }
        return "it breaks JSON's rules";
    }
}
