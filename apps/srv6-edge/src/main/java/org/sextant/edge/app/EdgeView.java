// SPDX-License-Identifier: Apache-2.0
package org.sextant.edge.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.json.Suggestion;
import org.sextant.core.net.EdgeSettings;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Port;
import org.sextant.core.net.PortRoles;
import org.sextant.core.net.Srv6;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.table.EdgePeer;
import org.sextant.core.underlay.DomainEdge;
import org.sextant.edge.Peer;

/** The edge as JSON: each port with its neighbor, its role and the reason for it, its peers, and its drop counters. */
final class EdgeView {
    /** The reasons by their numbers (edge.p4). */
    static final List<String> REASONS = List.of("sid", "srh", "source", "unknownSource", "unreadable", "internal");

    private final CompileContext context;
    private final Network network;
    private final PortRoles roles;
    private final List<IntentStatus<Peer>> peers;
    private final Function<String, Optional<String>> refused;
    private final Meter meter;

    /** @param refused the reason why a node, given by its name, lacks entries of its edge */
    EdgeView(
            CompileContext context,
            List<IntentStatus<Peer>> peers,
            Function<String, Optional<String>> refused,
            Meter meter) {
        this.context = context;
        this.network = context.network();
        this.roles = new PortRoles(network);
        this.peers = peers;
        this.refused = refused;
        this.meter = meter;
    }

    /** @throws ProblemException if the network has no such node */
    ObjectNode one(String name) {
        Node node = network.node(name)
                .orElseThrow(() -> new ProblemException(new Problem(
                        Problem.Code.UNKNOWN,
                        "/node",
                        "there is no node \"" + name + "\"",
                        Suggestion.of(name, network.nodes().keySet(), "nodes"))));
        return node(node, read(List.of(node)).get(name));
    }

    ObjectNode all() {
        Collection<Node> nodes = network.nodes().values();
        Map<String, Meter.Counted> read = read(nodes);
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode each = json.putArray("nodes");
        nodes.forEach(node -> each.add(node(node, read.get(node.name()))));
        ArrayNode open = json.putArray("unfiltered");
        nodes.stream().filter(node -> !filters(node)).forEach(node -> open.add(node.name()));
        ArrayNode warnings = json.putArray("warnings");
        warnings(warnings);
        return json;
    }

    private Map<String, Meter.Counted> read(Collection<Node> nodes) {
        Map<String, Set<Integer>> ports = new TreeMap<>();
        nodes.stream()
                .filter(this::filters)
                .forEach(node -> ports.put(node.name(), node.ports().keySet()));
        return meter.read(ports);
    }

    /** A node that has never been connected does not count as filtering. */
    private boolean filters(Node node) {
        return context.capabilities(node.name()).isPresent()
                && DomainEdge.offered(context.capabilities(node.name()))
                && refused.apply(node.name()).isEmpty();
    }

    private ObjectNode node(Node node, Meter.@Nullable Counted counted) {
        EdgeSettings settings = node.srv6().map(Srv6::edge).orElse(EdgeSettings.DEFAULT);
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("node", node.name())
                .put("connected", context.capabilities(node.name()).isPresent())
                .put("filters", filters(node))
                .put("dropSrh", settings.dropSrh())
                .put("knownSources", settings.knownSources())
                .put("read", counted != null && counted.counts());
        refused.apply(node.name()).ifPresent(why -> json.put("refused", why));
        ArrayNode ports = json.putArray("ports");
        node.ports().values().forEach(port -> ports.add(port(node, port, counted)));
        return json;
    }

    private ObjectNode port(Node node, Port port, Meter.@Nullable Counted counted) {
        PortRoles.Known known =
                Objects.requireNonNull(roles.of(node.name()).get(port.number()), "every port has a role");
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("port", port.number());
        port.name().ifPresent(name -> json.put("name", name));
        json.put("up", port.up())
                .put("role", known.role().text())
                .put("because", known.because().name().toLowerCase(Locale.ROOT));
        if (!known.what().isEmpty()) {
            json.put("what", known.what());
        }
        ArrayNode open = json.putArray("peers");
        Link.End end = new Link.End(node.name(), port.number());
        peers.stream()
                .filter(peer -> peer.intent().intent().ports().contains(end))
                .forEach(peer -> peer(open, peer, port.number(), counted));
        if (counted != null && counted.counts()) {
            ObjectNode dropped = json.putObject("dropped");
            for (int i = 0; i < REASONS.size(); i++) {
                put(
                        dropped.putObject(REASONS.get(i)),
                        counted.dropped().getOrDefault(Meter.cell(port.number(), i), Meter.NONE));
            }
        }
        return json;
    }

    private static void peer(ArrayNode open, IntentStatus<Peer> peer, int port, Meter.@Nullable Counted counted) {
        peer.intent().intent().sources().forEach(source -> {
            ObjectNode json = open.addObject()
                    .put("peer", peer.id())
                    .put("source", source.toString())
                    .put("state", peer.state().name());
            Optional.ofNullable(counted)
                    .map(node -> node.letIn().get(new EdgePeer(port, source).key()))
                    .ifPresent(counters -> put(json, counters));
        });
    }

    private static void put(ObjectNode json, Counters counters) {
        json.put("packets", counters.packets()).put("bytes", counters.bytes());
    }

    /** Packets of a host with an address of the domain are dropped as spoofed. */
    private void warnings(ArrayNode warnings) {
        DomainEdge domain = DomainEdge.of(network);
        network.hosts()
                .values()
                .forEach(host -> host.addresses()
                        .forEach(address -> domain.sources().stream()
                                .filter(own -> own.source().contains(address))
                                .findFirst()
                                .ifPresent(own -> warnings.add("host " + host.name() + " has " + address
                                        + ", which is one of "
                                        + own.source() + ", the domain's own: what it sends from there is dropped at "
                                        + host.location()
                                        + "; give it another address"))));
    }
}
