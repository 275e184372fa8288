// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import org.sextant.sera.Numbers;
import org.sextant.sera.imports.NftTokens.Token;

/** The words of a rule of nft, and a place among them. */
final class NftWords {
    private final List<Token> words;
    private final Map<String, NftElements.NamedSet> sets;
    private int at;

    NftWords(List<Token> words, Map<String, NftElements.NamedSet> sets) {
        this.words = words;
        this.sets = sets;
    }

    boolean more() {
        return at < words.size();
    }

    boolean quoted() {
        return more() && words.get(at).quoted();
    }

    boolean has(String word) {
        return words.stream().anyMatch(token -> token.is(word));
    }

    int place() {
        return at;
    }

    /** Goes back to a place. */
    void place(int before) {
        at = before;
    }

    /** Removes and returns the next words; none if there are fewer. */
    List<Token> take(int count) {
        if (at + count > words.size()) {
            return List.of();
        }
        at += count;
        return words.subList(at - count, at);
    }

    String next() throws Refused {
        if (at == words.size()) {
            throw new Refused("something is missing at its end");
        }
        return words.get(at++).text();
    }

    String peek() {
        return at < words.size() ? words.get(at).text() : "";
    }

    boolean take(String word) {
        boolean taken = at < words.size() && words.get(at).is(word);
        at += taken ? 1 : 0;
        return taken;
    }

    Numbers numbers(int bits, Function<String, OptionalInt> named) throws Refused {
        boolean not = take("!=");
        take("==");
        String how = Set.of("<", ">", "<=", ">=").contains(peek()) ? next() : "";
        String text = how + String.join(",", values());
        Numbers numbers = Draft.read(() -> Numbers.parse(bits, text, named));
        return not ? Draft.read(numbers::not) : numbers;
    }

    /** One value, several with commas between, those in braces, or those of a set. */
    List<String> values() throws Refused {
        if (peek().equals("{") || peek().startsWith("@")) {
            List<String> values = new ArrayList<>();
            for (NftElements.Element element : elements()) {
                if (element.parts().size() > 1 || !element.verdict().isEmpty()) {
                    throw new Refused("elements of several values, or that lead somewhere: " + NftLine.SPEC);
                }
                values.add(element.parts().get(0).text());
            }
            return values;
        }
        List<String> values = new ArrayList<>(List.of(next()));
        while (take(",")) {
            values.add(next());
        }
        return values;
    }

    /** The elements in braces, or those of a named set or map. */
    List<NftElements.Element> elements() throws Refused {
        if (!take("{")) {
            String word = next();
            NftElements.NamedSet named = word.startsWith("@") ? sets.get(word.substring(1)) : null;
            if (named == null) {
                throw new Refused(
                        word.startsWith("@") ? "the text has no set " + word.substring(1) : word + ": " + NftLine.SPEC);
            }
            if (named.unusable().isPresent()) {
                throw new Refused(
                        "set " + word.substring(1) + ": " + named.unusable().get());
            }
            return NftElements.of(named.tokens());
        }
        int begin = at;
        while (at < words.size() && !words.get(at).is("}")) {
            at++;
        }
        List<Token> inside = words.subList(begin, at);
        take("}");
        return NftElements.of(inside);
    }
}
