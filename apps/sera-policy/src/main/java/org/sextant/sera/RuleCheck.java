// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.json.JsonInput;
import org.sextant.core.shape.Elements;
import org.sextant.kit.Family;

/** Checks rules whose fields are valid each by itself. */
final class RuleCheck implements Elements.Rule<Rule> {
    private static final String REMEDY = "write \"mode\": \"advanced\"";

    private final boolean advanced;
    private final SortedMap<String, List<Peer>> named;
    private final Groups groups;
    private final Map<String, Integer> names = new HashMap<>();

    RuleCheck(boolean advanced, SortedMap<String, List<Peer>> groups) {
        this.advanced = advanced;
        this.named = groups;
        this.groups = new Groups(groups);
    }

    @Override
    public void check(List<Optional<Rule>> rules, List<JsonInput> inputs) {
        for (int i = 0; i < rules.size(); i++) {
            JsonInput input = inputs.get(i);
            rules.get(i).ifPresent(rule -> check(rule, input));
        }
    }

    private void check(Rule rule, JsonInput at) {
        rule.name().ifPresent(name -> name(name, at));
        if (!advanced) {
            basic(rule, at);
        }
        layerFour(rule, at);
        peers(rule.source(), rule, "/source", at);
        peers(rule.destination(), rule, "/destination", at);
        outer(rule.outerSource(), "/outerSource", at);
        oneFamily(rule, at);
    }

    private void name(String name, JsonInput at) {
        Integer before = names.putIfAbsent(name, names.size());
        if (before != null) {
            at.invalid("/name", "another rule is called \"" + name + "\", too", "give every rule its own name");
        }
    }

    private void basic(Rule rule, JsonInput at) {
        if (!rule.verb().basic()) {
            refuseAction(rule.verb(), at, "/action");
        }
        if (rule.srh().isPresent()) {
            at.invalid("/srh", "rules of the basic mode do not look at the segment routing header", REMEDY);
        }
        if (rule.args().isPresent()) {
            at.invalid("/args", "rules of the basic mode do not look at arguments", REMEDY);
        }
        if (!rule.outerSource().isEmpty()) {
            at.invalid("/outerSource", "rules of the basic mode do not look at the outer header", REMEDY);
        }
    }

    /** Reports an action that a firewall in basic mode does not have. */
    static void refuseAction(Verb verb, JsonInput input, String part) {
        input.invalid(part, "\"" + verb.spelling() + "\" is an action of the advanced mode", REMEDY);
    }

    private void layerFour(Rule rule, JsonInput at) {
        String protocol = "write \"protocol\": ";
        if (!Protocols.within(rule.protocol(), Protocols.WITH_PORTS)) {
            rule.sourcePorts().ifPresent(ports -> ports("/sourcePorts", at));
            rule.destinationPorts().ifPresent(ports -> ports("/destinationPorts", at));
        }
        if (rule.tcpFlags().isPresent() && !Protocols.within(rule.protocol(), Set.of(Protocols.TCP))) {
            at.invalid("/tcpFlags", "only TCP has these flags", protocol + "\"tcp\"");
        }
        if (rule.icmpType().isPresent()
                && !Protocols.within(rule.protocol(), Set.of(Protocols.ICMP, Protocols.ICMPV6))) {
            at.invalid("/icmpType", "only ICMP has types", protocol + "\"icmpv6\" or \"icmp\"");
        }
    }

    private void ports(String part, JsonInput at) {
        at.invalid(
                part,
                "only TCP, UDP, UDP-Lite, SCTP and DCCP have ports",
                "write \"protocol\": \"tcp\" or another of these");
    }

    private void peers(List<Peer> peers, Rule rule, String part, JsonInput at) {
        for (int i = 0; i < peers.size(); i++) {
            Peer peer = peers.get(i);
            String here = part + "/" + i;
            if (peer.group().filter(group -> !named.containsKey(group)).isPresent()) {
                Groups.unknown(peer, named, at, here);
            } else if (rule.family()
                    .filter(family -> groups.prefixes(peer).stream().noneMatch(prefix -> Family.of(prefix) == family))
                    .isPresent()) {
                at.invalid(
                        here,
                        "a rule on " + rule.family().get().spelling() + " never sees " + peer,
                        "write an address of that family, or another \"family\"");
            }
        }
    }

    private void outer(List<Peer> peers, String part, JsonInput at) {
        for (int i = 0; i < peers.size(); i++) {
            Peer peer = peers.get(i);
            if (peer.group().filter(group -> !named.containsKey(group)).isPresent()) {
                Groups.unknown(peer, named, at, part + "/" + i);
            } else if (groups.prefixes(peer).stream().noneMatch(IpPrefix::isIpv6)) {
                at.invalid(part + "/" + i, "the outer header is IPv6, and never of " + peer, "write an IPv6 prefix");
            }
        }
    }

    /** Reports matches with an IPv4 and an IPv6 address, which no packet has. */
    private void oneFamily(Rule rule, JsonInput at) {
        Set<Family> source = families(rule.source());
        Set<Family> destination = families(rule.destination());
        if (source.stream().noneMatch(destination::contains)) {
            at.invalid(
                    "/destination",
                    "no packet goes from these sources to these destinations: one is IPv4, the other IPv6",
                    "write addresses of one family");
        }
    }

    private Set<Family> families(List<Peer> peers) {
        Set<Family> families = java.util.EnumSet.noneOf(Family.class);
        peers.stream()
                .filter(peer -> !peer.negated())
                .flatMap(peer -> groups.prefixes(peer).stream())
                .forEach(prefix -> families.add(Family.of(prefix)));
        boolean anybody = peers.stream().allMatch(Peer::negated);
        return anybody || families.isEmpty() ? Set.of(Family.values()) : families;
    }
}
