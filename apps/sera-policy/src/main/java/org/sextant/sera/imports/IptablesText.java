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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sextant.kit.Family;
import org.sextant.sera.Verb;

/** The output of ip6tables-save and iptables-save: tables, chains with their policies, and lines that append to them. */
final class IptablesText {
    private static final String FILTER = "filter";
    private static final Map<String, Verb> POLICIES = Map.of("ACCEPT", Verb.ACCEPT, "DROP", Verb.DROP);
    private static final Pattern SET_LINE = Pattern.compile("(create|add)\\s");
    private static final Pattern CHANGED = Pattern.compile("--(?:add-set|del-set|map-set)\\s+(\\S+)");
    private static final Set<String> BASES = Set.of("PREROUTING", "INPUT", "FORWARD", "OUTPUT", "POSTROUTING");

    private final IptablesLine.Context context;
    private final IpSets sets = new IpSets();
    private final SortedMap<String, Chain> chains = new TreeMap<>();
    private final List<Step> stray = new ArrayList<>();
    private final Set<String> tables = new HashSet<>();

    /** Empty after the end of a table; filter if a text begins without one. */
    private Optional<String> table = Optional.of(FILTER);

    private boolean opened;

    private IptablesText(Family family, Interfaces interfaces) {
        this.context = new IptablesLine.Context(family, this::called, sets, interfaces);
    }

    /** The chains of table filter by name, of others by table and name: {@code raw/PREROUTING}. */
    static Ruleset read(List<String> lines, Family family, Interfaces interfaces) {
        IptablesText text = new IptablesText(family, interfaces);
        text.sets(lines);
        for (int i = 0; i < lines.size(); i++) {
            text.line(i + 1, lines.get(i).strip());
        }
        return new Ruleset(text.chains, List.copyOf(text.stray));
    }

    /** Reads all sets before the first rule: rules may stand in front of them. */
    private void sets(List<String> lines) {
        boolean inTable = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            inTable = line.startsWith("*") || inTable && !line.equals("COMMIT");
            if (!inTable && SET_LINE.matcher(line).lookingAt()) {
                set(i + 1, line);
            } else if (line.contains("-j SET ")) {
                Matcher changed = CHANGED.matcher(line);
                while (changed.find()) {
                    sets.changes(changed.group(1));
                }
            }
        }
    }

    private void set(int number, String line) {
        try {
            Words words = Words.of(line);
            if (words.next().equals("create")) {
                sets.create(words);
            } else {
                sets.add(words);
            }
        } catch (Refused e) {
            refuse(number, line, e.why());
        }
    }

    private void line(int number, String line) {
        boolean inTable = opened && table.isPresent();
        if (line.isEmpty()
                || line.startsWith("#")
                || !inTable && SET_LINE.matcher(line).lookingAt()) {
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
        opened = true;
        if (!tables.add(name)) {
            refuse(number, line, "table " + name + " is there twice: the second one would replace the first");
        }
    }

    /** The name of a chain of this table in other chains. */
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
            named(words.next()).add(new IptablesLine(context).read(number, line, words));
        } catch (Refused e) {
            refuse(number, line, e.why());
        }
    }
}
