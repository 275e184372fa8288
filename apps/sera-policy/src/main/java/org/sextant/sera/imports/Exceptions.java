// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.sextant.sera.Groups;
import org.sextant.sera.Peer;
import org.sextant.sera.Rule;
import org.sextant.sera.plan.RuleRows;

/**
 * A rule with negated prefixes as a rule without them and exceptions in front of it. A negated IPv6 address needs 128
 * table entries and two of them need 16,384; as exceptions they need one each, and rules for the packets that return.
 *
 * @param excepted packets that the rule does not match although {@code rest} does
 * @param rest the rule without its negated prefixes
 */
record Exceptions(List<Rule> excepted, Rule rest) {
    /** Fewer entries are cheaper than a repetition of the rules behind. */
    private static final int FEW_ROWS = 1000;

    /**
     * The exceptions of a rule.
     *
     * @param guard the match of the jumps to the rule: its negated prefixes stay in {@code rest}
     * @return empty for a rule with few entries, and for one without negated prefixes of its own
     */
    static Optional<Exceptions> of(Rule rule, Rule guard) throws Refused {
        List<Peer> sources = own(rule.source(), guard.source());
        List<Peer> destinations = own(rule.destination(), guard.destination());
        if (sources.isEmpty() && destinations.isEmpty() || rows(rule) < FEW_ROWS) {
            return Optional.empty();
        }
        Rule rest = with(rule, without(rule.source(), sources), without(rule.destination(), destinations));
        List<Rule> excepted = new ArrayList<>();
        for (Rule one : List.of(
                with(Rule.every(rule.verb()), negated(sources), List.of()),
                with(Rule.every(rule.verb()), List.of(), negated(destinations)))) {
            if (!one.source().isEmpty() || !one.destination().isEmpty()) {
                Conjunction.of(rest, one).ifPresent(excepted::add);
            }
        }
        return Optional.of(new Exceptions(excepted, rest));
    }

    private static long rows(Rule rule) {
        return new RuleRows(rule, new Groups(new TreeMap<>())).count();
    }

    private static List<Peer> own(List<Peer> peers, List<Peer> guards) {
        return peers.stream()
                .filter(peer -> peer.negated() && peer.prefix().isPresent() && !guards.contains(peer))
                .toList();
    }

    private static List<Peer> negated(List<Peer> peers) {
        return peers.stream().map(Peer::not).toList();
    }

    private static List<Peer> without(List<Peer> peers, List<Peer> left) {
        return peers.stream().filter(peer -> !left.contains(peer)).toList();
    }

    private static Rule with(Rule rule, List<Peer> source, List<Peer> destination) {
        return new Rule(
                Optional.empty(),
                rule.family(),
                source,
                destination,
                rule.protocol(),
                rule.sourcePorts(),
                rule.destinationPorts(),
                rule.tcpFlags(),
                rule.icmpType(),
                rule.srh(),
                rule.outerSource(),
                rule.args(),
                rule.established(),
                rule.verb(),
                rule.log());
    }
}
