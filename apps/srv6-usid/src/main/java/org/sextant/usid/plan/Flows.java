// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Host;
import org.sextant.core.net.Node;
import org.sextant.core.port.Capabilities;
import org.sextant.core.table.FlowMatch;
import org.sextant.core.table.FlowMatch.Ports;
import org.sextant.core.table.FlowSteering;
import org.sextant.core.underlay.SidPlan;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Endpoint;
import org.sextant.kit.Family;
import org.sextant.kit.Findings;
import org.sextant.kit.path.Resolver;
import org.sextant.kit.path.Resolver.End;
import org.sextant.usid.SteeredFlow;

/** A steered flow in a network: one match for each pair of addresses that its ends have. */
record Flows(SteeredFlow flow, Optional<End> source, Optional<End> destination) {
    private static final IpPrefix ANY_V6 = new IpPrefix(Ipv6.ZERO, 0);
    private static final IpPrefix ANY_V4 = new IpPrefix(new Ipv4(0), 0);

    /** The number of bits that a match can cover, and one for none: two addresses, protocol, two ports, DSCP. */
    private static final int RANKS = 128 + 128 + 8 + 16 + 16 + 6 + 1;

    static Flows of(SteeredFlow flow, Resolver resolver) {
        Optional<End> source = flow.source().flatMap(end -> resolver.end(end, flow.pointer() + "/source"));
        Optional<End> destination =
                flow.destination().flatMap(end -> resolver.end(end, flow.pointer() + "/destination"));
        return new Flows(flow, source, destination);
    }

    static String table(Family family) {
        return family == Family.IPV6 ? FlowSteering.TABLE_V6 : FlowSteering.TABLE_V4;
    }

    static boolean steeredBy(Capabilities node, Family family) {
        return node.offers(table(family), "h_encaps");
    }

    /** Empty if an end has no address of the family. */
    List<FlowMatch> matches(Family family) {
        List<FlowMatch> matches = new ArrayList<>();
        for (IpPrefix from : prefixes(source, family)) {
            for (IpPrefix to : prefixes(destination, family)) {
                matches.add(match(from, to));
            }
        }
        return matches;
    }

    private static List<IpPrefix> prefixes(Optional<End> end, Family family) {
        return end.map(one -> Ends.prefixes(one, family)).orElse(List.of(family == Family.IPV6 ? ANY_V6 : ANY_V4));
    }

    /** Ranks by the operator's priority first, then by the number of matched bits. */
    private FlowMatch match(IpPrefix from, IpPrefix to) {
        int rank = from.length()
                + to.length()
                + (flow.protocol().isPresent() ? 8 : 0)
                + flow.sourcePorts().map(Flows::bits).orElse(0)
                + flow.destinationPorts().map(Flows::bits).orElse(0)
                + (flow.dscp().isPresent() ? 6 : 0);
        return new FlowMatch(
                flow.priority() * RANKS + rank + 1,
                from,
                to,
                flow.protocol(),
                flow.sourcePorts(),
                flow.destinationPorts(),
                flow.dscp());
    }

    /** The flow from which a match may stem; hosts have many addresses. */
    static Optional<SteeredFlow> asked(List<SteeredFlow> flows, FlowMatch match) {
        return flows.stream()
                .filter(flow -> flow.priority() == (match.priority() - 1) / RANKS
                        && flow.protocol().equals(match.protocol())
                        && flow.sourcePorts().equals(match.sourcePorts())
                        && flow.destinationPorts().equals(match.destinationPorts())
                        && flow.dscp().equals(match.dscp())
                        && fits(flow.source(), match.source())
                        && fits(flow.destination(), match.destination()))
                .findFirst();
    }

    private static boolean fits(Optional<Endpoint> end, IpPrefix prefix) {
        return end.map(one -> one instanceof Endpoint.Range range
                        ? range.prefix().equals(prefix)
                        : prefix.length() == prefix.address().bits())
                .orElse(prefix.length() == 0);
    }

    /** The number of bits that a range fixes of the 16 of a port, rounded down. */
    private static int bits(Ports ports) {
        int covered = Integer.SIZE - Integer.numberOfLeadingZeros(ports.last() - ports.first()); // 0 of one port
        return 16 - covered;
    }

    /** The field that determines the destination of its packets, or the whole flow if none does. */
    private String field() {
        return flow.pointer() + (destination.isPresent() ? "/destination" : "");
    }

    /** Reports flows that cover SIDs or hosts elsewhere: nodes look up flows before SIDs and routes. */
    void check(String headend, String egress, List<Family> families, Underlay underlay, Findings findings) {
        List<IpPrefix> destinations = families.stream()
                .flatMap(family -> matches(family).stream())
                .map(FlowMatch::destination)
                .distinct()
                .toList();
        if (destinations.isEmpty() && findings.clean()) {
            findings.unfeasible(
                    flow.pointer(),
                    "source and destination have no addresses of the same family",
                    "choose two ends with addresses of the same family, or leave \"family\" out");
        }
        for (IpPrefix to : destinations) {
            underlay.network().nodes().values().stream()
                    .filter(node -> reached(node).anyMatch(prefix -> overlap(prefix, to)))
                    .findFirst()
                    .ifPresent(node -> findings.unfeasible(
                            field(),
                            "packets to " + to + " may be on the way to SIDs of node " + node.name() + ", and headend "
                                    + headend + " looks flows up before SIDs",
                            "name a destination beside "
                                    + SidPlan.of(node).orElseThrow().srv6().block()
                                    + ", such as 2000::/3, or choose \"family\": \"ipv4\""));
            underlay.network().hosts().values().stream()
                    .filter(host -> !host.location().node().equals(egress))
                    .filter(host -> host.addresses().stream()
                            .anyMatch(address -> address instanceof Ipv6 == to.isIpv6() && to.contains(address)))
                    .findFirst()
                    .ifPresent(host -> elsewhere(host, to, headend, egress, findings));
        }
    }

    private void elsewhere(Host host, IpPrefix to, String headend, String egress, Findings findings) {
        String node = host.location().node();
        findings.unfeasible(
                field(),
                to + " has host " + host.name() + " in it, which is attached to " + node + ", not to " + egress
                        + " where the path ends: packets to it might come by " + headend
                        + " once more and be steered again",
                "name a destination behind " + egress);
    }

    private static Stream<IpPrefix> reached(Node node) {
        return SidPlan.of(node).stream()
                .flatMap(plan -> Stream.concat(Stream.of(plan.srv6().block()), plan.reachedUnder().stream()));
    }

    private static boolean overlap(IpPrefix one, IpPrefix other) {
        return one.isIpv6() == other.isIpv6() && (one.contains(other.address()) || other.contains(one.address()));
    }
}
