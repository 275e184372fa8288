// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A firewall on a node: rules of which the first that takes a packet decides, and what becomes of all others. Valid as far
 * as it can be told without a network; {@link FirewallJson} says what is wrong with one that is not.
 *
 * @param advanced whether rules may ask for the segment routing header, and do more than accept and drop
 * @param otherwise what becomes of packets that no rule takes
 * @param audit whether it only counts and logs what it would drop
 * @param flows how many it remembers, where a rule asks for the state of one
 * @param groups prefixes and other groups by name
 */
public record Firewall(
        String name,
        String node,
        boolean advanced,
        Verb otherwise,
        boolean audit,
        int flows,
        SortedMap<String, List<Peer>> groups,
        List<Rule> rules) {
    /** How many rows a firewall may come to; so many a node is asked to hold twice while it is replaced. */
    public static final int MOST_ROWS = 4096;

    public static final int DEFAULT_FLOWS = 65_536;

    public Firewall {
        Peer.checkName("firewall", name);
        groups = Collections.unmodifiableSortedMap(new TreeMap<>(groups));
        rules = List.copyOf(rules);
    }

    /** Whether a rule asks if a flow is known. */
    public boolean stateful() {
        return rules.stream().anyMatch(rule -> rule.established().isPresent());
    }
}
