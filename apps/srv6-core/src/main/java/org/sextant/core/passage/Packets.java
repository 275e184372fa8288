// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.passage;

import java.util.Optional;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;

/**
 * A set of users' packets of one address family; empty fields match all.
 *
 * @param protocol the IP protocol number behind extension headers
 * @param sourcePort of TCP or UDP
 * @param destinationPort of TCP or UDP
 */
public record Packets(
        IpPrefix source,
        IpPrefix destination,
        Optional<Integer> protocol,
        Optional<Integer> sourcePort,
        Optional<Integer> destinationPort) {

    private static final IpPrefix ANY_V6 = new IpPrefix(Ipv6.ZERO, 0);
    private static final IpPrefix ANY_V4 = new IpPrefix(new Ipv4(0), 0);

    public Packets {
        if (source.isIpv6() != destination.isIpv6()) {
            throw new IllegalArgumentException(source + " and " + destination + " are of two families");
        }
    }

    /** All packets to a prefix, from any source. */
    public static Packets to(IpPrefix destination) {
        return new Packets(
                destination.isIpv6() ? ANY_V6 : ANY_V4,
                destination,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** The intersection of both sets; empty if it has no packets. */
    public Optional<Packets> and(Packets other) {
        boolean apart = destination.isIpv6() != other.destination.isIpv6()
                || differ(protocol, other.protocol)
                || differ(sourcePort, other.sourcePort)
                || differ(destinationPort, other.destinationPort);
        if (apart) {
            return Optional.empty();
        }
        return common(source, other.source)
                .flatMap(from -> common(destination, other.destination)
                        .map(to -> new Packets(
                                from,
                                to,
                                protocol.or(other::protocol),
                                sourcePort.or(other::sourcePort),
                                destinationPort.or(other::destinationPort))));
    }

    private static boolean differ(Optional<Integer> one, Optional<Integer> other) {
        return one.isPresent() && other.isPresent() && !one.equals(other);
    }

    /** The longer of two prefixes that have an address in common: it lies in the other one. */
    private static Optional<IpPrefix> common(IpPrefix one, IpPrefix other) {
        IpPrefix shorter = one.length() <= other.length() ? one : other;
        IpPrefix longer = shorter == one ? other : one;
        return shorter.contains(longer.address()) ? Optional.of(longer) : Optional.empty();
    }
}
