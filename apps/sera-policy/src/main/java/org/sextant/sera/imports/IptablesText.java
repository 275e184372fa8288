// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.kit.Family;
import org.sextant.sera.Verb;

/** The output of ip6tables-save and iptables-save: tables, chains with their policies, and lines that append to them. */
final class IptablesText {
    private static final String FILTER = "filter";
    private static final Map<String, Verb> POLICIES = Map.of("ACCEPT", Verb.ACCEPT, "DROP", Verb.DROP);
    private static final Set<String> BASES = Set.of("PREROUTING", "INPUT", "FORWARD", "OUTPUT", "POSTROUTING");

    private final Family family;
    private final SortedMap<String, Chain> chains = new TreeMap<>();
    private final List<Step> stray = new ArrayList<>();
    private final Set<String> tables = new HashSet<>();

    /** Empty behind the end of one; filter where a text begins without. */
    private Optional<String> table = Optional.of(FILTER);

    private IptablesText(Family family) {
        this.family = family;
    }

    /** The chains of table filter by name, of others by table and name: {@code raw/PREROUTING}. */
    static Ruleset read(List<String> lines, Family family) {
        IptablesText text = new IptablesText(family);
        for (int i = 0; i < lines.size(); i++) {
            text.line(i + 1, lines.get(i).strip());
        }
        return new Ruleset(text.chains, List.copyOf(text.stray));
    }

    private void line(int number, String line) {
        if (line.isEmpty() || line.startsWith("#")) {
            return;
        }
        if (line.startsWith("*")) {
            table(number, line);
        } else if (line.equals("COMMIT")) {
            table = Optional.empty();
        } else if (table.isEmpty()) {
            refuse(number, line, "it stands in no table");
        } else if (line.startsWith(":")) {
            chain(number, line);
        } else {
            rule(number, line.replaceFirst("^\\[[0-9]+:[0-9]+]\\s*", ""));
        }
    }

    private void refuse(int number, String line, String why) {
        stray.add(Step.refused(number, line, why));
    }

    /** A table that comes again would replace the one before. */
    private void table(int number, String line) {
        String name = line.substring(1).strip();
        table = Optional.of(name);
        if (!tables.add(name)) {
            refuse(number, line, "table " + name + " is there twice: the second one would replace the first");
        }
    }

    /** How others refer to a chain of this table. */
    private String called(String chain) {
        String of = table.orElse(FILTER);
        return of.equals(FILTER) ? chain : of + "/" + chain;
    }

    private Chain named(String chain) {
        return chains.computeIfAbsent(called(chain), name -> {
            Chain fresh = new Chain();
            if (BASES.contains(chain)) {
                String of = table.orElse(FILTER);
                fresh.hook(new Hook("table " + of, "", chain, of.equals(FILTER)));
            }
            return fresh;
        });
    }

    private void chain(int number, String line) {
        String[] words = line.substring(1).strip().split("\\s+");
        Chain chain = named(words[0]);
        String policy = words.length > 1 ? words[1] : "-";
        if (policy.equals("-")) {
            return;
        }
        if (!BASES.contains(words[0]) || !POLICIES.containsKey(policy)) {
            refuse(number, line, "chain " + words[0] + " cannot have the policy " + policy);
            return;
        }
        chain.policy(POLICIES.getOrDefault(policy, Verb.DROP), number, line);
    }

    private void rule(int number, String line) {
        try {
            Words words = Words.of(line);
            String command = words.more() ? words.next() : "";
            if (!command.equals("-A") && !command.equals("--append")) {
                refuse(number, line, "it is no line of iptables-save: those begin with -A");
                return;
            }
            named(words.next()).add(new IptablesLine(family, this::called).read(number, line, words));
        } catch (Refused e) {
            refuse(number, line, e.why());
        }
    }
}
