// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.ArrayList;
import java.util.List;

/** The words of a line, and a position among them; a quoted text is one word. */
final class Words {
    private final List<String> words;
    private int at;

    Words(List<String> words) {
        this.words = words;
    }

    static Words of(String line) throws Refused {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean quoted = false;
        boolean begun = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quoted && c == '\\' && i + 1 < line.length()) {
                word.append(line.charAt(++i));
            } else if (c == '"') {
                quoted = !quoted;
                begun = true;
            } else if (!quoted && Character.isWhitespace(c)) {
                if (begun) {
                    words.add(word.toString());
                }
                word.setLength(0);
                begun = false;
            } else {
                word.append(c);
                begun = true;
            }
        }
        if (quoted) {
            throw new Refused("a quotation mark is not closed");
        }
        if (begun) {
            words.add(word.toString());
        }
        return new Words(words);
    }

    boolean more() {
        return at < words.size();
    }

    String next() throws Refused {
        if (!more()) {
            throw new Refused("something is missing at its end");
        }
        return words.get(at++);
    }

    /** The next word, which remains; empty at the end. */
    String peek() {
        return more() ? words.get(at) : "";
    }

    /** Removes the next word if it is this; returns true if so. */
    boolean take(String word) {
        if (peek().equals(word) && more()) {
            at++;
            return true;
        }
        return false;
    }
}
