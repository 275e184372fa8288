// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.kit.Metadata;

/**
 * A firewall on a node: rules of which the first that matches a packet decides, and the action for all others. All
 * checks without a network have passed; {@link FirewallShape} reports the problems of invalid ones.
 *
 * @param advanced true if rules may match the segment routing header, and have further actions than accept and drop
 * @param otherwise the default action, for packets that match no rule
 * @param audit true if it only counts and logs packets that it would drop
 * @param flows the size of its flow table, if a rule matches the state of a flow
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
        List<Rule> rules,
        Metadata metadata) {
    /** The maximum number of a firewall's table entries; its node needs room for twice as many while it is replaced. */
    public static final int MOST_ROWS = 4096;

    public static final int DEFAULT_FLOWS = 65_536;

    public Firewall {
        Peer.checkName("firewall", name);
        groups = Collections.unmodifiableSortedMap(new TreeMap<>(groups));
        rules = List.copyOf(rules);
    }

    /** The same firewall with other metadata. */
    Firewall with(Metadata other) {
        return new Firewall(name, node, advanced, otherwise, audit, flows, groups, rules, other);
    }

    /** Is true if a rule matches the state of a flow. */
    public boolean stateful() {
        return rules.stream().anyMatch(rule -> rule.established().isPresent());
    }
}
