// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.explain;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A message in protobuf's text form, without its schema: enough to read the P4Info that we compile ourselves.
 *
 * @param values of fields like {@code id: 7}, quotes taken off
 * @param messages of fields like {@code preamble { … }}
 */
record TextProto(Map<String, List<String>> values, Map<String, List<TextProto>> messages) {
    private static final Pattern TOKEN =
            Pattern.compile("\\s+|#[^\n]*|(\"(?:[^\"\\\\]|\\\\.)*\")|([A-Za-z0-9_.+-]+)|([{}:])");

    /** @throws IllegalArgumentException if {@code text} is not of that form */
    static TextProto parse(String text) {
        List<String> tokens = new ArrayList<>();
        Matcher matcher = TOKEN.matcher(text);
        int end = 0;
        while (matcher.find() && matcher.start() == end) {
            end = matcher.end();
            if (matcher.group(1) != null || matcher.group(2) != null || matcher.group(3) != null) {
                tokens.add(matcher.group());
            }
        }
        if (end != text.length()) {
            throw new IllegalArgumentException("not protobuf text at character " + end);
        }
        return new Reader(tokens).message(false);
    }

    Optional<String> value(String name) {
        return values.getOrDefault(name, List.of()).stream().findFirst();
    }

    /** All messages of a repeated field, in order. */
    List<TextProto> all(String name) {
        return messages.getOrDefault(name, List.of());
    }

    /** The one message of a field, or an empty one. */
    TextProto message(String name) {
        return all(name).stream().findFirst().orElse(new TextProto(Map.of(), Map.of()));
    }

    private static final class Reader {
        private final List<String> tokens;
        private int next;

        Reader(List<String> tokens) {
            this.tokens = tokens;
        }

        TextProto message(boolean nested) {
            Map<String, List<String>> values = new LinkedHashMap<>();
            Map<String, List<TextProto>> messages = new LinkedHashMap<>();
            while (next < tokens.size() && !tokens.get(next).equals("}")) {
                String name = take();
                String mark = take();
                if (mark.equals("{")) {
                    messages.computeIfAbsent(name, key -> new ArrayList<>()).add(message(true));
                } else {
                    require(mark, ":");
                    values.computeIfAbsent(name, key -> new ArrayList<>()).add(unquoted(take()));
                }
            }
            if (nested) {
                require(take(), "}");
            } else if (next < tokens.size()) {
                throw new IllegalArgumentException("a } too many");
            }
            return new TextProto(values, messages);
        }

        private String take() {
            if (next >= tokens.size()) {
                throw new IllegalArgumentException("it ends in the middle of a message");
            }
            return tokens.get(next++);
        }

        private static void require(String found, String wanted) {
            if (!found.equals(wanted)) {
                throw new IllegalArgumentException("\"" + found + "\" where " + wanted + " is wanted");
            }
        }

        private static String unquoted(String token) {
            return token.startsWith("\"") ? token.substring(1, token.length() - 1) : token;
        }
    }
}
