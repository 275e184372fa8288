// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import java.util.List;
import java.util.Optional;
import org.sextant.kit.Family;

/**
 * A rule: its match, of which every part must hold, and its action. Addresses, protocol, ports and types are those of
 * the inner packet.
 *
 * @param family empty: both, as far as the addresses are
 * @param source one of those that are not negated, if there are any, and none of the negated; empty: all addresses
 * @param protocol the protocol behind the extension headers of the inner packet
 * @param outerSource the source of the outer header, as {@code source}
 * @param args arguments of the firewall's SID in the packet's destination
 * @param established true if the packet's flow must be in the flow table, false if it must not; empty: either
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

    /** A rule that matches every packet. */
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

    /** This rule with another name. */
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

    /** The name in messages. */
    public String called(int index) {
        return name.orElse("rule " + index);
    }
}
