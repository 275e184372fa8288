// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.kit.Family;
import org.sextant.sera.Verb;

/** What ip6tables-save and iptables-save print: chains with their policies, and lines that append to them. */
final class IptablesText {
    private static final Map<String, Verb> POLICIES = Map.of("ACCEPT", Verb.ACCEPT, "DROP", Verb.DROP);

    private final Family family;
    private final SortedMap<String, Chain> chains = new TreeMap<>();
    private String table = "filter";

    private IptablesText(Family family) {
        this.family = family;
    }

    /** The chains of table filter by name; lines that change packets elsewhere stand, refused, in the base chains of that name. */
    static SortedMap<String, Chain> read(List<String> lines, Family family) {
        IptablesText text = new IptablesText(family);
        for (int i = 0; i < lines.size(); i++) {
            text.line(i + 1, lines.get(i).strip());
        }
        return text.chains;
    }

    private void line(int number, String line) {
        if (line.startsWith("*")) {
            table = line.substring(1).strip();
        } else if (line.startsWith(":")) {
            chain(line.substring(1).split("\\s+"));
        } else if (!line.isEmpty() && !line.startsWith("#") && !line.equals("COMMIT")) {
            rule(number, line.replaceFirst("^\\[[0-9]+:[0-9]+]\\s*", ""));
        }
    }

    private void chain(String[] words) {
        if (table.equals("filter")) {
            Chain chain = chains.computeIfAbsent(words[0], name -> new Chain());
            Optional.ofNullable(words.length > 1 ? POLICIES.get(words[1]) : null)
                    .ifPresent(chain::policy);
        }
    }

    private void rule(int number, String line) {
        String[] words = line.split("\\s+", 3);
        boolean appends = words.length > 1 && (words[0].equals("-A") || words[0].equals("--append"));
        if (!appends) {
            all().add(Step.refused(number, line, "it is no line of iptables-save: those begin with -A"));
            return;
        }
        if (!table.equals("filter")) {
            all(words[1])
                    .ifPresent(chain -> chain.add(Step.refused(
                            number,
                            line,
                            "table " + table + " changes packets or marks them, which a firewall here does not")));
            return;
        }
        chains.computeIfAbsent(words[1], name -> new Chain())
                .add(new IptablesLine(family).read(number, line, words.length > 2 ? words[2] : ""));
    }

    /** Where a line stands that is of no chain: in front, so that whatever chain is asked for has it. */
    private Chain all() {
        return chains.computeIfAbsent("", name -> new Chain());
    }

    /** The base chain that packets of a chain of another table go through, too. */
    private Optional<Chain> all(String other) {
        return Optional.of(chains.computeIfAbsent(" " + other, name -> new Chain()));
    }
}
