// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.underlay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.ip.UnroutableAddresses;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Port.InterfaceAddress;
import org.sextant.core.net.Srv6;
import org.sextant.core.port.Capabilities;
import org.sextant.core.table.EdgePort;
import org.sextant.core.table.EdgeSid;
import org.sextant.core.table.EdgeSource;
import org.sextant.core.table.Entry;

/**
 * The edge of the SR domain, for the filters of every node (RFC 8754, 5.1): the locators of its SIDs, and the source
 * addresses of its nodes. The sources include those of the headers that nodes push, any SID (a node answers from it,
 * and RFC 9433 has arguments in a source), and the addresses of ports: a node in the middle sends errors to a headend
 * from one. All nodes share one instance.
 */
public record DomainEdge(List<EdgeSid> sids, List<EdgeSource> sources) {

    public DomainEdge {
        sids = List.copyOf(sids);
        sources = List.copyOf(sources);
    }

    public static DomainEdge of(Network network) {
        List<IpPrefix> sids = widest(network.nodes().values().stream()
                .flatMap(node -> node.srv6().stream())
                .flatMap(srv6 -> Stream.concat(Stream.of(srv6.block()), srv6.gtpLocator().stream())));
        Stream<IpPrefix> addresses = network.nodes().values().stream()
                .flatMap(DomainEdge::addresses)
                .map(address -> new IpPrefix(address, address.bits()));
        return new DomainEdge(
                sids.stream().map(sid -> new EdgeSid(sid, false)).toList(),
                widest(Stream.concat(sids.stream(), addresses)).stream()
                        .map(EdgeSource::new)
                        .toList());
    }

    private static Stream<IpAddress> addresses(Node node) {
        Stream<IpAddress> ports = node.ports().values().stream()
                .flatMap(port -> port.addresses().stream())
                .map(InterfaceAddress::address)
                .filter(address -> address instanceof Ipv6
                        && UnroutableAddresses.kind(address).isEmpty());
        return Stream.concat(node.srv6().map(Srv6::encapSource).stream(), ports);
    }

    /** In a fixed order, without those that others contain. */
    private static List<IpPrefix> widest(Stream<IpPrefix> prefixes) {
        TreeSet<IpPrefix> all =
                new TreeSet<>(Comparator.comparingInt(IpPrefix::length).thenComparing(IpPrefix::toString));
        prefixes.forEach(all::add);
        List<IpPrefix> widest = new ArrayList<>();
        for (IpPrefix prefix : all) {
            boolean inside = widest.stream()
                    .takeWhile(other -> other.length() < prefix.length())
                    .anyMatch(other -> other.contains(prefix.address()));
            if (!inside) {
                widest.add(prefix);
            }
        }
        return widest;
    }

    /** True if a node filters at its edge; a node that was never connected counts as filtering. */
    public static boolean offered(Optional<Capabilities> capabilities) {
        return capabilities
                .map(offered -> offered.offers(EdgePort.TABLE, "external")
                        && offered.offers(EdgePort.TABLE, "internal")
                        && offered.offers(EdgeSid.TABLE, "protect")
                        && offered.offers(EdgeSource.TABLE, "domain_source"))
                .orElse(true);
    }

    public Stream<Entry> entries() {
        return Stream.concat(sids.stream(), sources.stream());
    }
}
