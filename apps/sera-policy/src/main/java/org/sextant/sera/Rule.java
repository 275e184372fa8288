// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import java.util.List;
import java.util.Optional;
import org.sextant.kit.Family;

/**
 * A rule: what it asks of a packet, all of which has to hold, and what it has done with one. Addresses, protocol, ports
 * and types are those of the packet inside.
 *
 * @param family empty: both, as far as the addresses are
 * @param source one of those that are not negated, if there are any, and none of the negated; empty: everybody
 * @param protocol what stands behind the extension headers of the packet inside
 * @param outerSource who encapsulated it; as {@code source}
 * @param args arguments of the firewall's SID that the packet came to
 * @param established whether the flow of the packet is known; empty: either
 */
public record Rule(
        Optional<String> name,
        Optional<Family> family,
        List<Peer> source,
        List<Peer> destination,
        Optional<Numbers> protocol,
        Optional<Numbers> sourcePorts,
        Optional<Numbers> destinationPorts,
        Optional<TcpFlags> tcpFlags,
        Optional<IcmpType> icmpType,
        Optional<SrhMatch> srh,
        List<Peer> outerSource,
        Optional<Numbers> args,
        Optional<Boolean> established,
        Verb verb,
        boolean log) {
    public Rule {
        source = List.copyOf(source);
        destination = List.copyOf(destination);
        outerSource = List.copyOf(outerSource);
    }

    /** A rule that takes every packet. */
    public static Rule every(Verb verb) {
        return new Rule(
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                verb,
                false);
    }

    /** The same under a name. */
    public Rule named(String other) {
        return new Rule(
                Optional.of(other),
                family,
                source,
                destination,
                protocol,
                sourcePorts,
                destinationPorts,
                tcpFlags,
                icmpType,
                srh,
                outerSource,
                args,
                established,
                verb,
                log);
    }

    /** What it is called in messages. */
    public String called(int index) {
        return name.orElse("rule " + index);
    }
}
