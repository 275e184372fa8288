// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.json.Fields;
import org.sextant.kit.Family;

/** Checks rules whose fields are valid each by itself. */
final class RuleCheck {
    private final boolean advanced;
    private final SortedMap<String, List<Peer>> named;
    private final Groups groups;
    private final Fields fields;
    private final Map<String, Integer> names = new HashMap<>();

    RuleCheck(boolean advanced, SortedMap<String, List<Peer>> groups, Fields fields) {
        this.advanced = advanced;
        this.named = groups;
        this.groups = new Groups(groups);
        this.fields = fields;
    }

    void check(Rule rule, String at) {
        rule.name().ifPresent(name -> name(name, at));
        if (!advanced) {
            basic(rule, at);
        }
        layerFour(rule, at);
        peers(rule.source(), rule, at + "/source");
        peers(rule.destination(), rule, at + "/destination");
        outer(rule.outerSource(), at + "/outerSource");
        oneFamily(rule, at);
    }

    private void name(String name, String at) {
        Integer before = names.putIfAbsent(name, names.size());
        if (before != null) {
            fields.invalid(
                    at + "/name", "another rule is called \"" + name + "\", too", "give every rule its own name");
        }
    }

    private void basic(Rule rule, String at) {
        String remedy = "write \"mode\": \"advanced\"";
        if (!rule.verb().basic()) {
            fields.invalid(
                    at + "/action", "\"" + rule.verb().spelling() + "\" is an action of the advanced mode", remedy);
        }
        if (rule.srh().isPresent()) {
            fields.invalid(at + "/srh", "rules of the basic mode do not look at the segment routing header", remedy);
        }
        if (rule.args().isPresent()) {
            fields.invalid(at + "/args", "rules of the basic mode do not look at arguments", remedy);
        }
        if (!rule.outerSource().isEmpty()) {
            fields.invalid(at + "/outerSource", "rules of the basic mode do not look at the outer header", remedy);
        }
    }

    private void layerFour(Rule rule, String at) {
        String protocol = "write \"protocol\": ";
        if (!Protocols.within(rule.protocol(), Protocols.WITH_PORTS)) {
            rule.sourcePorts().ifPresent(ports -> ports(at + "/sourcePorts"));
            rule.destinationPorts().ifPresent(ports -> ports(at + "/destinationPorts"));
        }
        if (rule.tcpFlags().isPresent() && !Protocols.within(rule.protocol(), Set.of(Protocols.TCP))) {
            fields.invalid(at + "/tcpFlags", "only TCP has these flags", protocol + "\"tcp\"");
        }
        if (rule.icmpType().isPresent()
                && !Protocols.within(rule.protocol(), Set.of(Protocols.ICMP, Protocols.ICMPV6))) {
            fields.invalid(at + "/icmpType", "only ICMP has types", protocol + "\"icmpv6\" or \"icmp\"");
        }
    }

    private void ports(String at) {
        fields.invalid(
                at,
                "only TCP, UDP, UDP-Lite, SCTP and DCCP have ports",
                "write \"protocol\": \"tcp\" or another of these");
    }

    private void peers(List<Peer> peers, Rule rule, String at) {
        for (int i = 0; i < peers.size(); i++) {
            Peer peer = peers.get(i);
            String here = at + "/" + i;
            if (peer.group().filter(group -> !named.containsKey(group)).isPresent()) {
                Groups.unknown(peer, named, here, fields);
            } else if (rule.family()
                    .filter(family -> groups.prefixes(peer).stream().noneMatch(prefix -> Family.of(prefix) == family))
                    .isPresent()) {
                fields.invalid(
                        here,
                        "a rule on " + rule.family().get().spelling() + " never sees " + peer,
                        "write an address of that family, or another \"family\"");
            }
        }
    }

    private void outer(List<Peer> peers, String at) {
        for (int i = 0; i < peers.size(); i++) {
            Peer peer = peers.get(i);
            if (peer.group().filter(group -> !named.containsKey(group)).isPresent()) {
                Groups.unknown(peer, named, at + "/" + i, fields);
            } else if (groups.prefixes(peer).stream().noneMatch(IpPrefix::isIpv6)) {
                fields.invalid(at + "/" + i, "the outer header is IPv6, and never of " + peer, "write an IPv6 prefix");
            }
        }
    }

    /** Reports matches with an IPv4 and an IPv6 address, which no packet has. */
    private void oneFamily(Rule rule, String at) {
        Set<Family> source = families(rule.source());
        Set<Family> destination = families(rule.destination());
        if (source.stream().noneMatch(destination::contains)) {
            fields.invalid(
                    at + "/destination",
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
