// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sextant.sera.imports.NftTokens.Token;

/** The elements of a set or a map of nft, between its braces. */
final class NftElements {
    private static final int MOST_NUMBERS = 64;

    private NftElements() {}

    /**
     * A set or a map with a name.
     *
     * @param unusable the reason why no rule can refer to it
     */
    record NamedSet(List<Token> tokens, Optional<String> unusable) {
        NamedSet {
            tokens = List.copyOf(tokens);
        }
    }

    /**
     * An element.
     *
     * @param parts the values of a concatenation; of a plain value one
     * @param verdict of a verdict map; empty in a set
     */
    record Element(List<Token> parts, List<Token> verdict) {}

    /** The elements; counters and comments of elements are passed over. */
    static List<Element> of(List<Token> tokens) throws Refused {
        List<Element> elements = new ArrayList<>();
        List<Token> one = new ArrayList<>();
        for (Token token : tokens) {
            if (!token.is(",")) {
                one.add(token);
            } else if (!one.isEmpty()) {
                elements.add(element(one));
                one.clear();
            }
        }
        if (!one.isEmpty()) {
            elements.add(element(one));
        }
        return elements;
    }

    private static Element element(List<Token> tokens) throws Refused {
        List<Token> parts = new ArrayList<>(List.of(tokens.get(0)));
        int at = 1;
        while (at + 1 < tokens.size() && tokens.get(at).is(".")) {
            parts.add(tokens.get(at + 1));
            at += 2;
        }
        if (parts.stream().anyMatch(part -> part.is("*"))) {
            throw new Refused("a set with an element for all other values has no counterpart in a firewall here");
        }
        while (at < tokens.size() && !tokens.get(at).is(":")) {
            String word = tokens.get(at).text();
            at += switch (word) {
                case "comment" -> 2;
                case "counter" -> at + 1 < tokens.size() && tokens.get(at + 1).is("packets") ? 5 : 1;
                case "timeout", "expires" -> throw new Refused("its elements expire");
                default ->
                    throw new Refused("\"" + word + "\" in an element of a set has no counterpart in a firewall here");
            };
        }
        List<Token> verdict = at < tokens.size() ? tokens.subList(at + 1, tokens.size()) : List.of();
        return new Element(List.copyOf(parts), List.copyOf(verdict));
    }

    /**
     * Expands elements under selectors to statements: {@code ip saddr . tcp dport} and {@code 10.0.0.1 . 80 : accept}
     * become {@code ip saddr 10.0.0.1 tcp dport 80 accept}. Elements that differ in their first value only share a
     * statement.
     */
    static List<List<Token>> statements(List<List<Token>> selectors, List<Element> elements) throws Refused {
        Map<List<List<Token>>, List<List<Token>>> firsts = new LinkedHashMap<>();
        boolean addresses =
                selectors.get(0).get(0).is("ip") || selectors.get(0).get(0).is("ip6");
        for (Element element : elements) {
            if (element.parts().size() != selectors.size()) {
                throw new Refused("an element has " + element.parts().size() + " values, and the rule compares "
                        + selectors.size());
            }
            List<List<Token>> rest = List.of(
                    element.parts().subList(1, element.parts().size()).stream()
                            .map(NftElements::plain)
                            .toList(),
                    element.verdict().stream().map(NftElements::plain).toList());
            List<List<Token>> chunks =
                    firsts.computeIfAbsent(rest, none -> new ArrayList<>(List.of(new ArrayList<>())));
            if (!addresses && chunks.get(chunks.size() - 1).size() == MOST_NUMBERS) {
                chunks.add(new ArrayList<>());
            }
            chunks.get(chunks.size() - 1).add(element.parts().get(0));
        }
        List<List<Token>> statements = new ArrayList<>();
        firsts.forEach((rest, chunks) -> chunks.forEach(chunk -> statements.add(statement(selectors, chunk, rest))));
        return statements;
    }

    /** The token without its line, for comparisons. */
    private static Token plain(Token token) {
        return new Token(0, token.text(), token.quoted());
    }

    private static List<Token> statement(List<List<Token>> selectors, List<Token> first, List<List<Token>> rest) {
        List<Token> words = new ArrayList<>(selectors.get(0));
        words.add(mark("{"));
        first.forEach(value -> {
            words.add(value);
            words.add(mark(","));
        });
        words.add(mark("}"));
        for (int i = 1; i < selectors.size(); i++) {
            words.addAll(selectors.get(i));
            words.add(rest.get(0).get(i - 1));
        }
        words.addAll(rest.get(1));
        return words;
    }

    private static Token mark(String text) {
        return new Token(0, text, false);
    }
}
