// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sextant.kit.Family;
import org.sextant.sera.Rule;

/** The sets that a text defines by lines of {@code ipset save}, in front of the tables or behind them. */
final class IpSets {
    /** Options of create and add that do not change which packets match; by name, the number of their arguments. */
    private static final Map<String, Integer> PASSIVE = Map.ofEntries(
            Map.entry("hashsize", 1),
            Map.entry("maxelem", 1),
            Map.entry("bucketsize", 1),
            Map.entry("initval", 1),
            Map.entry("size", 1),
            Map.entry("range", 1),
            Map.entry("comment", 1),
            Map.entry("packets", 1),
            Map.entry("bytes", 1),
            Map.entry("skbmark", 1),
            Map.entry("skbprio", 1),
            Map.entry("skbqueue", 1),
            Map.entry("counters", 0),
            Map.entry("skbinfo", 0),
            Map.entry("forceadd", 0));

    private final Map<String, IpSet> sets = new HashMap<>();

    /** Reads a line behind {@code create}. */
    void create(Words words) throws Refused {
        String name = words.next();
        String type = words.next();
        Family family = Family.IPV4;
        String netmask = "";
        List<String> faults = new ArrayList<>();
        while (words.more()) {
            String option = words.next();
            switch (option) {
                case "family" -> family = words.next().equals("inet6") ? Family.IPV6 : Family.IPV4;
                case "netmask" -> netmask = words.next();
                case "timeout" -> {
                    words.next();
                    faults.add("its members expire");
                }
                // Without a text here: each member may have one.
                case "comment" -> {}
                default -> passive(option, words, faults);
            }
        }
        IpSet set = new IpSet(type, family, netmask);
        faults.forEach(set::unusable);
        if (sets.putIfAbsent(name, set) != null) {
            throw new Refused("set " + name + " is created twice");
        }
    }

    /** Reads a line behind {@code add}. If it is refused, so are the lines that refer to the set. */
    void add(Words words) throws Refused {
        String name = words.next();
        IpSet set = sets.get(name);
        if (set == null) {
            throw new Refused("no line before this one creates set " + name);
        }
        try {
            String entry = words.next();
            boolean excepted = false;
            List<String> faults = new ArrayList<>();
            while (words.more()) {
                String option = words.next();
                if (option.equals("nomatch")) {
                    excepted = true;
                } else if (option.equals("timeout")) {
                    words.next();
                    faults.add("its members expire");
                } else {
                    passive(option, words, faults);
                }
            }
            faults.forEach(set::unusable);
            if (excepted) {
                set.except(entry);
            } else {
                set.add(entry);
            }
        } catch (Refused e) {
            set.unusable("a line that adds to it is refused");
            throw e;
        }
    }

    private static void passive(String option, Words words, List<String> faults) throws Refused {
        Integer further = PASSIVE.get(option);
        if (further == null) {
            faults.add("option " + option + " has no counterpart in a firewall here");
            return;
        }
        for (int i = 0; i < further; i++) {
            words.next();
        }
    }

    /** A target adds to the set, or deletes from it, at run time. */
    void changes(String name) {
        IpSet set = sets.get(name);
        if (set != null) {
            set.unusable("packets change it");
        }
    }

    /**
     * Adds to a draft that its packets match a set.
     *
     * @param directions {@code src,dst}
     * @param family of the packets
     */
    void match(Draft draft, String name, String directions, boolean not, Family family) throws Refused {
        List<Boolean> from = new ArrayList<>();
        for (String one : directions.split(",", -1)) {
            if (!Set.of("src", "dst").contains(one)) {
                throw new Refused("\"" + one + "\" is neither src nor dst");
            }
            from.add(one.equals("src"));
        }
        List<String> members = named(name).isList() ? named(name).members() : List.of(name);
        List<Rule> rules = new ArrayList<>();
        for (String member : members) {
            IpSet set = named(member);
            try {
                if (not) {
                    draft.also(set.others(from, family));
                } else {
                    rules.addAll(set.rules(from, family));
                }
            } catch (Refused e) {
                throw new Refused("set " + member + ": " + e.why());
            }
        }
        if (!not) {
            draft.also(rules);
        }
    }

    private IpSet named(String name) throws Refused {
        IpSet set = sets.get(name);
        if (set == null) {
            throw new Refused("the text does not have set " + name + ": put what \"ipset save\" prints in front of it");
        }
        if (set.unusable().isPresent()) {
            throw new Refused("set " + name + ": " + set.unusable().get());
        }
        return set;
    }
}
