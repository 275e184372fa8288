// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.sextant.core.ip.IpPrefix;
import org.sextant.kit.Family;
import org.sextant.sera.IcmpType;
import org.sextant.sera.Numbers;
import org.sextant.sera.Peer;
import org.sextant.sera.Protocols;
import org.sextant.sera.Rule;

/** A set as {@code ipset save} prints it (ipset(8)): of addresses, of ports, or of several of these at once. */
final class IpSet {
    private static final Set<String> DIMENSIONS = Set.of("ip", "net", "port", "set");
    private static final int MOST_SPANS = 64;

    private final List<String> dimensions;
    private final Family family;
    private final String netmask;
    private Optional<String> unusable = Optional.empty();
    private final List<String> entries = new ArrayList<>();
    private final List<String> exceptions = new ArrayList<>();

    /** @param type {@code hash:ip,port} */
    IpSet(String type, Family family, String netmask) {
        this.dimensions = List.of(type.substring(type.indexOf(':') + 1).split(","));
        this.family = family;
        this.netmask = netmask;
        if (!DIMENSIONS.containsAll(dimensions)) {
            unusable("type " + type + " has no counterpart in a firewall here");
        }
    }

    /** Refuses all lines that refer to the set, for the first of the reasons. */
    void unusable(String why) {
        unusable = unusable.or(() -> Optional.of(why));
    }

    Optional<String> unusable() {
        return unusable;
    }

    void add(String entry) {
        entries.add(entry);
    }

    /** Adds an entry with {@code nomatch}. */
    void except(String entry) {
        exceptions.add(entry);
    }

    /** The members of a list of sets; empty for other types. */
    List<String> members() {
        return dimensions.equals(List.of("set")) ? List.copyOf(entries) : List.of();
    }

    boolean isList() {
        return dimensions.equals(List.of("set"));
    }

    /**
     * Rules, one of which matches a packet if and only if the set does.
     *
     * @param from true for each dimension that matches the source
     * @param of the family of the packets
     */
    List<Rule> rules(List<Boolean> from, Family of) throws Refused {
        if (from.size() < dimensions.size()) {
            throw new Refused("the set has " + dimensions.size() + " dimensions, and the line names " + from.size());
        }
        if (dimensions.equals(List.of("port"))) {
            return ports(from.get(0));
        }
        if (family != of) {
            return List.of();
        }
        if (isAddresses()) {
            List<Peer> peers = prefixes().stream().map(Peer::of).toList();
            return peers.isEmpty()
                    ? List.of()
                    : List.of(draft(from.get(0), peers).rule());
        }
        if (!exceptions.isEmpty()) {
            throw new Refused("nomatch in a set of several dimensions has no counterpart in a firewall here");
        }
        return tuples(from);
    }

    /** A rule that matches a packet if and only if the set does not. */
    List<Rule> others(List<Boolean> from, Family of) throws Refused {
        if (!isAddresses() || from.isEmpty()) {
            throw new Refused(
                    "! in front of a set that is not of addresses alone has no counterpart in a firewall here");
        }
        List<Peer> peers = family != of
                ? List.of()
                : prefixes().stream().map(prefix -> Peer.of(prefix).not()).toList();
        return List.of(draft(from.get(0), peers).rule());
    }

    private boolean isAddresses() {
        return dimensions.equals(List.of("ip")) || dimensions.equals(List.of("net"));
    }

    private static Draft draft(boolean ofSource, List<Peer> peers) {
        Draft draft = new Draft();
        (ofSource ? draft.source : draft.destination).addAll(peers);
        return draft;
    }

    /** The longest prefix decides, whether with or without {@code nomatch}. */
    private List<IpPrefix> prefixes() throws Refused {
        AddressRanges ranges = new AddressRanges(bits());
        List<String> all = new ArrayList<>(entries);
        all.addAll(exceptions);
        if (!exceptions.isEmpty()) {
            all.sort(Comparator.comparingInt(IpSet::length));
        }
        Set<String> without = Set.copyOf(exceptions);
        for (String entry : all) {
            if (without.contains(entry)) {
                ranges.remove(masked(entry));
            } else {
                ranges.add(masked(entry));
            }
        }
        return ranges.prefixes();
    }

    private int bits() {
        return family == Family.IPV6 ? 128 : 32;
    }

    private static int length(String entry) {
        String length = entry.substring(entry.indexOf('/') + 1);
        return length.matches("[0-9]{1,3}") ? Integer.parseInt(length) : 128;
    }

    private String masked(String address) {
        return netmask.isEmpty() || address.contains("/") || address.contains("-") ? address : address + "/" + netmask;
    }

    /** The kernel looks for ports of TCP and UDP only. */
    private List<Rule> ports(boolean ofSource) throws Refused {
        List<Rule> rules = new ArrayList<>();
        for (int i = 0; i < entries.size(); i += MOST_SPANS) {
            Draft draft = new Draft();
            draft.protocol(Draft.read(() -> Numbers.parse(8, "tcp,udp", Protocols::named)));
            draft.ports(
                    ofSource,
                    Draft.numbers(16, String.join(",", entries.subList(i, Math.min(entries.size(), i + MOST_SPANS)))));
            rules.add(draft.rule());
        }
        return rules;
    }

    /** A rule for all first addresses that have the rest of the entry in common. */
    private List<Rule> tuples(List<Boolean> from) throws Refused {
        Map<List<String>, AddressRanges> firsts = new LinkedHashMap<>();
        for (String entry : entries) {
            List<String> parts = List.of(entry.split(",", -1));
            if (parts.size() != dimensions.size() || dimensions.get(0).equals("port")) {
                throw new Refused("entry " + entry + " of the set does not have the form of its type");
            }
            AddressRanges ranges =
                    firsts.computeIfAbsent(parts.subList(1, parts.size()), rest -> new AddressRanges(bits()));
            ranges.add(masked(parts.get(0)));
        }
        List<Rule> rules = new ArrayList<>();
        for (Map.Entry<List<String>, AddressRanges> first : firsts.entrySet()) {
            Draft draft = new Draft();
            draft.also(List.of(draft(
                            from.get(0),
                            first.getValue().prefixes().stream().map(Peer::of).toList())
                    .rule()));
            for (int i = 1; i < dimensions.size(); i++) {
                part(draft, dimensions.get(i), first.getKey().get(i - 1), from.get(i));
            }
            rules.addAll(draft.rules());
        }
        return rules;
    }

    private void part(Draft draft, String dimension, String text, boolean ofSource) throws Refused {
        if (!dimension.equals("port")) {
            AddressRanges one = new AddressRanges(bits());
            one.add(text);
            draft.also(List.of(
                    draft(ofSource, one.prefixes().stream().map(Peer::of).toList())
                            .rule()));
            return;
        }
        int mark = text.indexOf(':');
        String protocol = mark < 0 ? "tcp" : text.substring(0, mark);
        String port = text.substring(mark + 1);
        int number = Draft.read(() -> Numbers.parse(8, protocol, Protocols::named))
                .spans()
                .get(0)
                .low();
        if (number == Protocols.ICMP || number == Protocols.ICMPV6) {
            draft.header(number);
            draft.icmp(Draft.read(() -> IcmpType.parse(port, number == Protocols.ICMPV6)));
        } else if (Protocols.WITH_PORTS.contains(number)) {
            draft.header(number);
            draft.ports(ofSource, Draft.read(() -> Numbers.parse(16, port, name -> OptionalInt.empty())));
        } else {
            draft.protocol(Numbers.of(8, number));
        }
    }
}
