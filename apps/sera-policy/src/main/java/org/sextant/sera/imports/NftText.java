// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.sextant.kit.Family;
import org.sextant.sera.Verb;
import org.sextant.sera.imports.NftTokens.Token;

/** The output of {@code nft list ruleset}: tables with sets and chains. */
final class NftText {
    private static final String NO_LINE = "it is no line of nft list ruleset";
    private static final Set<String> OBJECTS =
            Set.of("flowtable", "counter", "quota", "limit", "ct", "secmark", "synproxy", "tunnel", "comment", "flags");

    private final NftTokens tokens;
    private final List<String> lines;
    private final SortedMap<String, Chain> chains = new TreeMap<>();
    private final List<Step> stray = new ArrayList<>();

    private final Interfaces interfaces;

    private NftText(String text, List<String> lines, Interfaces interfaces) {
        this.interfaces = interfaces;
        this.tokens = new NftTokens(text);
        this.lines = lines;
    }

    /** Chains by family, table and name: {@code inet/filter/forward}. */
    static Ruleset read(String text, List<String> lines, Interfaces interfaces) {
        NftText nft = new NftText(text, lines, interfaces);
        nft.tables();
        return new Ruleset(nft.chains, List.copyOf(nft.stray));
    }

    private void tables() {
        for (tokens.blank(); tokens.more(); tokens.blank()) {
            Token word = tokens.next();
            if (word.is("table")) {
                table(tokens.next().text());
            } else {
                refuse(word, NO_LINE);
                tokens.statement();
                tokens.take("}");
            }
        }
    }

    private void refuse(Token at, String why) {
        stray.add(Step.refused(at.line(), line(at.line()), why));
    }

    private String line(int number) {
        return number <= lines.size() ? lines.get(number - 1).strip() : "";
    }

    private void table(String familyOrName) {
        boolean named = tokens.peek().is("{");
        String family = named ? "ip" : familyOrName;
        String name = named ? familyOrName : tokens.next().text();
        if (!tokens.take("{")) {
            refuse(tokens.peek(), NO_LINE);
            return;
        }
        Map<String, NftElements.NamedSet> sets = new HashMap<>();
        List<Later> later = new ArrayList<>();
        for (tokens.blank(); tokens.more() && !tokens.take("}"); tokens.blank()) {
            Token word = tokens.next();
            if (word.is("chain")) {
                chain(family, family + "/" + name + "/", tokens.next().text(), later);
            } else if (word.is("set") || word.is("map")) {
                String set = tokens.next().text();
                sets.put(set, set());
            } else {
                object(word, tokens.statement());
            }
        }
        // Rules may name sets that are defined after them.
        later.forEach(rule -> rule.chain().add(rule(family, name, rule.words(), sets)));
    }

    /** An object that rules refer to, without an effect of its own. */
    private void object(Token word, List<Token> words) {
        if (word.is("flags") && words.stream().anyMatch(flag -> flag.is("dormant"))) {
            refuse(word, "a dormant table judges nothing");
        } else if (word.quoted() || !OBJECTS.contains(word.text())) {
            refuse(word, NO_LINE);
        }
    }

    /** A rule that is read after all sets of its table. */
    private record Later(Chain chain, List<Token> words) {}

    /** The elements of a set or a map, or the reason why rules cannot refer to it. */
    private NftElements.NamedSet set() {
        List<Token> elements = new ArrayList<>();
        Optional<String> unusable = Optional.empty();
        tokens.take("{");
        for (tokens.blank(); tokens.more() && !tokens.take("}"); tokens.blank()) {
            List<Token> words = tokens.statement();
            if (words.isEmpty()) {
                tokens.next();
                continue;
            }
            boolean changes = words.get(0).is("timeout")
                    || words.get(0).is("flags")
                            && words.stream().anyMatch(flag -> flag.is("dynamic") || flag.is("timeout"));
            if (changes) {
                unusable = Optional.of("packets or time change it");
            }
            if (words.size() > 2 && words.get(0).is("elements")) {
                elements.addAll(words.subList(3, Math.max(3, words.size() - 1)));
            }
        }
        return new NftElements.NamedSet(elements, unusable);
    }

    private void chain(String family, String prefix, String name, List<Later> later) {
        Chain chain = chains.computeIfAbsent(prefix + name, full -> new Chain());
        tokens.take("{");
        for (tokens.blank(); tokens.more() && !tokens.take("}"); tokens.blank()) {
            List<Token> words = tokens.statement();
            Token first = words.isEmpty() ? tokens.next() : words.get(0);
            if (words.isEmpty()) {
                refuse(first, NO_LINE);
            } else if (first.is("type")) {
                base(chain, new Hook("chain " + prefix + name, family, hookOf(words), true), words);
            } else if (first.is("policy")) {
                policy(chain, words);
            } else if (!first.is("comment")) {
                later.add(new Later(chain, words));
            }
        }
    }

    private static String hookOf(List<Token> words) {
        int at = 0;
        while (at < words.size() && !words.get(at).is("hook")) {
            at++;
        }
        return at + 1 < words.size() ? words.get(at + 1).text() : "";
    }

    /** Reads {@code type filter hook forward priority 0}; without a policy, all packets pass. */
    private void base(Chain chain, Hook hook, List<Token> words) {
        chain.hook(hook);
        if (chain.policy().isEmpty()) {
            chain.policy(Verb.ACCEPT);
        }
        if (words.size() > 1 && !words.get(1).is("filter")) {
            chain.add(Step.refused(
                    words.get(0).line(), line(words.get(0).line()), "only chains of type filter decide about packets"));
        }
    }

    private void policy(Chain chain, List<Token> words) {
        Token at = words.get(0);
        if (words.size() == 2 && (words.get(1).is("drop") || words.get(1).is("accept"))) {
            chain.policy(words.get(1).is("drop") ? Verb.DROP : Verb.ACCEPT, at.line(), line(at.line()));
        } else {
            refuse(at, "a policy is accept or drop");
        }
    }

    private Step rule(String family, String table, List<Token> words, Map<String, NftElements.NamedSet> sets) {
        int number = words.get(0).line();
        String text = line(number).isEmpty()
                ? words.stream().map(Token::text).collect(Collectors.joining(" "))
                : line(number);
        Optional<Family> known = switch (family) {
            case "ip" -> Optional.of(Family.IPV4);
            case "ip6" -> Optional.of(Family.IPV6);
            default -> Optional.empty();
        };
        return new NftLine(words, new NftLine.Context(sets, family + "/" + table + "/", interfaces, known))
                .read(number, text);
    }
}
