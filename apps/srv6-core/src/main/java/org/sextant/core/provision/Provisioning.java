// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.provision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.DerivedKind;
import org.sextant.core.intent.Explained;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.net.Host;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Paths;
import org.sextant.core.net.Port;
import org.sextant.core.net.PortRoles;
import org.sextant.core.table.EdgeSource;
import org.sextant.core.table.Entry;
import org.sextant.core.table.MySid;
import org.sextant.core.underlay.DomainEdge;
import org.sextant.core.underlay.NextHopIds;
import org.sextant.core.underlay.SidPlan;
import org.sextant.core.underlay.Underlay;

/**
 * Provisioning as a kind of intent: one per node, following from the network. Each entry is installed as far as its
 * node allows; entries that a node does not offer are left out.
 */
public final class Provisioning implements DerivedKind<NodeProvision> {
    public static final String NAME = "provisioning";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public SortedMap<String, NodeProvision> derive(Underlay underlay) {
        Network network = underlay.network();
        Paths paths = underlay.paths();
        List<Routes.Destination> destinations = destinations(network);
        PortRoles roles = new PortRoles(network);
        DomainEdge domain = DomainEdge.of(network);
        SortedMap<String, NodeProvision> derived = new TreeMap<>();
        for (Node node : network.nodes().values()) {
            NodeEdge edge = NodeEdge.of(node, roles, domain);
            derived.put(node.name(), provision(network, paths, destinations, node, edge));
        }
        return derived;
    }

    /** The nodes that the others have routes to. */
    static List<Routes.Destination> destinations(Network network) {
        List<Routes.Destination> destinations = new ArrayList<>();
        network.nodes()
                .values()
                .forEach(node -> SidPlan.of(node)
                        .ifPresent(sids -> destinations.add(new Routes.Destination(node.name(), sids.reachedUnder()))));
        return List.copyOf(destinations);
    }

    private static NodeProvision provision(
            Network network, Paths paths, List<Routes.Destination> destinations, Node node, NodeEdge edge) {
        List<NodeProvision.Neighbor> neighbors = neighbors(network, node);
        Set<Integer> usable =
                neighbors.stream().map(NodeProvision.Neighbor::port).collect(Collectors.toCollection(TreeSet::new));
        Routes routes = Routes.of(destinations, destination -> {
            List<Integer> ports = new ArrayList<>(2);
            for (Link link : paths.nextHops(node.name(), destination, Metric.IGP)) {
                if (usable.contains(link.from().port())) {
                    ports.add(link.from().port());
                }
            }
            ports.sort(null);
            return ports;
        });
        return new NodeProvision(
                node.name(),
                SidPlan.of(node),
                neighbors,
                hosts(network, node),
                routes,
                edge,
                network.rules().waitToRestore());
    }

    private static List<NodeProvision.Neighbor> neighbors(Network network, Node node) {
        Map<Integer, NodeProvision.Neighbor> byPort = new TreeMap<>();
        for (Link link : network.linksFrom(node.name())) {
            MacAddress source = mac(node, link.from().port());
            MacAddress destination =
                    mac(network.nodes().get(link.to().node()), link.to().port());
            if (link.up() && source != null && destination != null) {
                byPort.putIfAbsent(
                        link.from().port(),
                        new NodeProvision.Neighbor(link.from().port(), source, destination));
            }
        }
        return List.copyOf(byPort.values());
    }

    private static List<NodeProvision.AttachedHost> hosts(Network network, Node node) {
        List<Host> known = network.hostsAt(node.name()).stream()
                .filter(host -> host.mac().isPresent())
                .toList();
        Map<NextHopIds.Attachment, Integer> ids =
                NextHopIds.ofHosts(known.stream().map(NextHopIds.Attachment::of).toList());
        List<NodeProvision.AttachedHost> attached = new ArrayList<>();
        for (Host host : known) {
            NextHopIds.Attachment attachment = NextHopIds.Attachment.of(host);
            MacAddress source = mac(node, attachment.port());
            if (source != null && ids.containsKey(attachment)) {
                attached.add(new NodeProvision.AttachedHost(
                        ids.get(attachment), attachment.port(), source, attachment.mac(), host.addresses()));
            }
        }
        return attached;
    }

    /** Null if the node, the port or its address is not known. */
    private static @Nullable MacAddress mac(@Nullable Node node, int port) {
        Port found = node == null ? null : node.ports().get(port);
        return found == null ? null : found.mac().orElse(null);
    }

    @Override
    public Plan compile(NumberedIntent<NodeProvision> intent, CompileContext context) {
        NodeProvision provision = intent.intent();
        List<Entry> entries = new NodeEntries(provision, context.capabilities(provision.node())).all();
        ObjectNode explanation = JsonNodeFactory.instance.objectNode();
        explanation.put("node", provision.node());
        entries.stream()
                .collect(Collectors.groupingBy(entry -> entry.key().table(), TreeMap::new, Collectors.counting()))
                .forEach(explanation::put);
        List<Plan.Placed> placed = entries.stream()
                .map(entry -> new Plan.Placed(provision.node(), entry))
                .toList();
        return new Plan(
                placed, Explained.of(explanation), List.of(), List.of(), Dependence.on(Set.of(provision.node())));
    }

    /** A policy that decapsulates at a node may use the same SID; a peer's addresses may be the domain's already. */
    @Override
    public boolean shares(Entry entry) {
        return entry instanceof MySid || entry instanceof EdgeSource;
    }

    @Override
    public boolean atomic() {
        return false;
    }

    @Override
    public String identity(NodeProvision provision) {
        return provision.node();
    }

    @Override
    public ObjectNode encode(NodeProvision provision) {
        return JsonNodeFactory.instance.objectNode().put("node", provision.node());
    }

    @Override
    public NodeProvision decode(JsonNode json) {
        throw new ProblemException(new Problem(
                Problem.Code.INVALID,
                "",
                "provisioning follows from the network and is not submitted",
                "change the network's description"));
    }
}
