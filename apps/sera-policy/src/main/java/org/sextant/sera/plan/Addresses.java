// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.plan;

import java.util.ArrayList;
import java.util.List;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;
import org.sextant.kit.Family;
import org.sextant.sera.Firewall;
import org.sextant.sera.Groups;
import org.sextant.sera.Peer;

/** The addresses of one family that peers denote, as prefixes; disjoint ones where some are excluded. */
final class Addresses {
    private static final IpPrefix ALL_V6 = new IpPrefix(Ipv6.ZERO, 0);
    private static final IpPrefix ALL_V4 = new IpPrefix(new Ipv4(0), 0);

    /** One more than the maximum of a firewall: the exact excess does not matter. */
    private static final int TOO_MANY = Firewall.MOST_ROWS + 1;

    private Addresses() {}

    /** @return at most one prefix more than the maximum */
    static List<IpPrefix> of(List<Peer> peers, Family family, Groups groups) {
        List<IpPrefix> rest = prefixes(peers, false, family, groups);
        if (peers.stream().allMatch(Peer::negated)) {
            rest = List.of(family == Family.IPV6 ? ALL_V6 : ALL_V4);
        }
        for (IpPrefix left : prefixes(peers, true, family, groups)) {
            List<IpPrefix> next = new ArrayList<>();
            for (IpPrefix part : rest) {
                next.addAll(without(part, left));
                if (next.size() > TOO_MANY) {
                    return next.subList(0, TOO_MANY);
                }
            }
            rest = next;
        }
        return rest;
    }

    private static List<IpPrefix> prefixes(List<Peer> peers, boolean negated, Family family, Groups groups) {
        return peers.stream()
                .filter(peer -> peer.negated() == negated)
                .flatMap(peer -> groups.prefixes(peer).stream())
                .filter(prefix -> Family.of(prefix) == family)
                .distinct()
                .toList();
    }

    /** The addresses of a prefix outside of another: for each bit of the other the half without it. */
    static List<IpPrefix> without(IpPrefix prefix, IpPrefix other) {
        if (other.length() <= prefix.length()) {
            return other.contains(prefix.address()) ? List.of() : List.of(prefix);
        }
        if (!prefix.contains(other.address())) {
            return List.of(prefix);
        }
        List<IpPrefix> parts = new ArrayList<>();
        for (int length = prefix.length() + 1; length <= other.length(); length++) {
            parts.add(new IpPrefix(flipped(other.address().truncate(length), length - 1), length));
        }
        return parts;
    }

    private static IpAddress flipped(IpAddress address, int bit) {
        if (address instanceof Ipv6 six) {
            return six.with(bit, 1, 1 - six.bits(bit, 1));
        }
        return new Ipv4(((Ipv4) address).value() ^ 1 << 31 - bit);
    }
}
