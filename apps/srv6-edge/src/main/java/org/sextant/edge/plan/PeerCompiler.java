// SPDX-License-Identifier: Apache-2.0
package org.sextant.edge.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.Explained;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Plan.Placed;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.json.Suggestion;
import org.sextant.core.net.EdgeSettings;
import org.sextant.core.net.Host;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.PortRole;
import org.sextant.core.net.PortRoles;
import org.sextant.core.net.Srv6;
import org.sextant.core.port.Capabilities;
import org.sextant.core.table.EdgePeer;
import org.sextant.core.table.EdgeSource;
import org.sextant.core.underlay.DomainEdge;
import org.sextant.edge.Peer;
import org.sextant.kit.Findings;

/**
 * Compiles a peer: an entry per port and source, and one more source of the domain at every node that drops unknown
 * sources of packets to its SIDs. External ports drop this source unless the peer names them, so the compiler reports
 * hosts of the peer behind other ports.
 */
final class PeerCompiler {
    private final Peer peer;
    private final CompileContext context;
    private final Network network;
    private final PortRoles roles;
    private final Findings findings = new Findings();

    PeerCompiler(Peer peer, CompileContext context) {
        this.peer = peer;
        this.context = context;
        this.network = context.network();
        this.roles = new PortRoles(network);
    }

    Plan compile() {
        for (int i = 0; i < peer.ports().size(); i++) {
            port("/ports/" + i, peer.ports().get(i));
        }
        List<EdgeSource> domain = DomainEdge.of(network).sources();
        for (int i = 0; i < peer.sources().size(); i++) {
            source("/sources/" + i, peer.sources().get(i), domain);
        }
        List<Placed> entries =
                findings.clean() ? Stream.concat(sources(), peers()).toList() : List.of();
        return new Plan(entries, Explained.NOTHING, findings.problems(), findings.warnings(), Dependence.EVERYTHING);
    }

    private void port(String field, Link.End end) {
        Optional<Node> node = network.node(end.node());
        if (node.isEmpty()) {
            findings.unknown(
                    field,
                    "there is no node \"" + end.node() + "\"",
                    Suggestion.of(end.node(), network.nodes().keySet(), "nodes"));
            return;
        }
        PortRoles.Known known = roles.of(end.node()).get(end.port());
        if (known == null) {
            findings.unknown(
                    field,
                    "node " + end.node() + " has no port " + end.port(),
                    "its ports are " + numbers(node.get().ports()));
        } else if (known.role() == PortRole.INTERNAL) {
            findings.unfeasible(
                    field,
                    "port " + end + " is internal"
                            + (known.because() == PortRoles.Because.LINK
                                    ? ": the link " + known.what() + " is there"
                                    : ""),
                    "a peer is behind an external port; if no node of the domain is there, describe its role as external");
        } else if (!filters(end.node())) {
            findings.warn("node " + end.node()
                    + " does not filter at its edge: packets of all senders pass there, those of this peer, too");
        }
    }

    private static String numbers(Map<Integer, ?> ports) {
        return String.join(", ", ports.keySet().stream().map(String::valueOf).toList());
    }

    private void source(String field, IpPrefix source, List<EdgeSource> domain) {
        for (EdgeSource own : domain) {
            if (overlap(source, own.source())) {
                findings.unfeasible(
                        field,
                        source + (source.length() < own.source().length() ? " covers " : " lies within ") + own.source()
                                + ", from which nodes of the domain send",
                        "give prefixes that are the peer's own");
                return;
            }
        }
        for (Host host : network.hosts().values()) {
            boolean has = host.addresses().stream().anyMatch(source::contains);
            if (has && !peer.ports().contains(host.location()) && external(host.location())) {
                findings.unfeasible(
                        field,
                        "host " + host.name() + ", which has an address of " + source + ", is behind " + host.location()
                                + ": all it sends would be dropped there, as only a peer may have that source",
                        "name " + host.location() + " among the ports, or a narrower source");
                return;
            }
        }
    }

    private static boolean overlap(IpPrefix one, IpPrefix other) {
        IpAddress narrower = one.length() < other.length() ? other.address() : one.address();
        return (one.length() < other.length() ? one : other).contains(narrower);
    }

    private boolean external(Link.End end) {
        return Optional.ofNullable(roles.of(end.node()).get(end.port()))
                .filter(known -> known.role() == PortRole.EXTERNAL)
                .isPresent();
    }

    private boolean filters(String node) {
        Optional<Capabilities> offered = context.capabilities(node);
        return DomainEdge.offered(offered)
                && offered.map(tables -> tables.offers(EdgePeer.TABLE, "peer")).orElse(true);
    }

    private Stream<Placed> peers() {
        List<Placed> rows = new ArrayList<>();
        peer.ports().stream()
                .filter(port -> filters(port.node()))
                .forEach(port -> peer.sources()
                        .forEach(source -> rows.add(new Placed(port.node(), new EdgePeer(port.port(), source)))));
        return rows.stream();
    }

    private Stream<Placed> sources() {
        return network.nodes().values().stream()
                .filter(node -> asks(node) && filters(node.name()))
                .flatMap(
                        node -> peer.sources().stream().map(source -> new Placed(node.name(), new EdgeSource(source))));
    }

    private static boolean asks(Node node) {
        return node.srv6().map(Srv6::edge).orElse(EdgeSettings.DEFAULT).knownSources();
    }
}
