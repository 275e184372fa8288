// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.underlay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Paths;
import org.sextant.core.passage.AttachedHosts;
import org.sextant.core.sid.Fib;
import org.sextant.core.sid.Fib.Adjacency;
import org.sextant.core.te.HopRules;
import org.sextant.core.te.PathSearch;

/**
 * Underlay forwarding: the route from here to a node's uN. Created once for a network, as many intents are compiled
 * against the same; results are cached. Safe for many threads.
 */
public final class Underlay {
    private final Network network;
    private final Paths paths;
    private final ProvisionedFib fib;
    private final Map<String, Link> links;
    private final AttachedHosts hosts;
    private final PathSearch search;
    private final Set<IpPrefix> repairLocators;
    private final Set<String> avoided;

    public Underlay(Network network) {
        this.network = network;
        this.paths = new Paths(network);
        this.fib = new ProvisionedFib(network, paths);
        this.links = network.links().stream().collect(Collectors.toMap(Link::id, Function.identity(), (a, b) -> a));
        this.hosts = new AttachedHosts(network);
        this.repairLocators = network.nodes().values().stream()
                .flatMap(node -> SidPlan.of(node).flatMap(SidPlan::repairs).stream())
                .map(RepairSids::locator)
                .collect(Collectors.toSet());
        this.avoided = network.drained();
        this.search = new PathSearch(network, paths, HopRules.of(network)).avoiding(avoided);
    }

    private Underlay(Underlay other, Network network, Set<String> avoided) {
        this.network = network;
        this.paths = other.paths;
        this.fib = other.fib;
        this.links = other.links;
        this.hosts = other.hosts;
        this.repairLocators = other.repairLocators;
        this.avoided = avoided;
        this.search = other.search.avoiding(avoided);
    }

    /** The underlay of the next state of the network: cached results are kept where routes cannot differ. */
    public Underlay next(Network other) {
        if (other == network) {
            return this;
        }
        return other.routesAs(network) ? new Underlay(this, other, other.drained()) : new Underlay(other);
    }

    /** The same routes; path searches avoid all overloaded nodes, and not only the drained ones. */
    public Underlay avoidingOverloaded() {
        return new Underlay(this, network, network.overloads().keySet());
    }

    /**
     * The nodes that paths avoid as transit where they can ({@link PathSearch#avoiding}), for callers with a search of
     * their own.
     */
    public Set<String> avoided() {
        return avoided;
    }

    public Network network() {
        return network;
    }

    /** The shortest paths of the network. */
    public Paths paths() {
        return paths;
    }

    /** The nodes' tables without any policy or flow. */
    public Fib fib() {
        return fib;
    }

    /** The node that packets to an address are routed to from anywhere; empty if there is none, or a node has a route of its own. */
    public Optional<String> owner(Ipv6 destination) {
        return fib.owner(destination);
    }

    /** True if only packets that a repair encapsulates are sent to the prefix. */
    public boolean isRepairLocator(IpPrefix prefix) {
        return repairLocators.contains(prefix);
    }

    /** The search for paths that meet constraints. */
    public PathSearch search() {
        return search;
    }

    /** The locations of attached hosts. */
    public AttachedHosts hosts() {
        return hosts;
    }

    /** A link by its id, for example {@code l1/1-l2/1}. */
    public Optional<Link> link(String id) {
        return Optional.ofNullable(links.get(id));
    }

    /** True if packets from {@code node} to {@code to}'s uN have a route. */
    public boolean reaches(Node node, Node to) {
        return node.name().equals(to.name()) || !next(node.name(), to).isEmpty();
    }

    private List<Adjacency> next(String node, Node to) {
        return fib.route(node, 0, locator(to));
    }

    /** A packet to it visits the node. */
    public static Ipv6 locator(Node node) {
        return (Ipv6) SidPlan.of(node).orElseThrow().locator().address();
    }

    /** The links that packets from {@code node} to {@code to} may take first. */
    public Set<String> firstLinks(Node node, Node to) {
        return next(node.name(), to).stream().map(Adjacency::link).collect(Collectors.toSet());
    }

    /** The names of the nodes on a shortest path, both ends included; empty if there is none. */
    public List<String> shortestPath(Node from, Node to) {
        List<String> path = new ArrayList<>(List.of(from.name()));
        while (!path.get(path.size() - 1).equals(to.name())
                && path.size() <= network.nodes().size()) {
            Optional<Adjacency> next =
                    next(path.get(path.size() - 1), to).stream().min(Comparator.naturalOrder());
            if (next.isEmpty() || next.get().host()) {
                return List.of();
            }
            path.add(next.get().neighbor());
        }
        return path;
    }

    /** A prefix that {@code node} has a route of its own to, shorter than which {@code around} is; the first of them. */
    public Optional<IpPrefix> routedWithin(String node, IpPrefix around) {
        Stream<IpPrefix> nodes = network.nodes().values().stream()
                .filter(other -> !other.name().equals(node))
                .flatMap(other -> SidPlan.of(other).stream())
                .flatMap(sids -> sids.reachedUnder().stream());
        Stream<IpPrefix> hosts = network.hostsAt(node).stream()
                .flatMap(host -> host.addresses().stream())
                .map(address -> new IpPrefix(address, address.bits()));
        return Stream.concat(nodes, hosts)
                .filter(route -> around.length() < route.length() && around.contains(route.address()))
                .findFirst();
    }

    /** All links from one node to another, up or down. */
    public List<Link> links(Node from, Node to) {
        return network.linksFrom(from.name()).stream()
                .filter(link -> link.to().node().equals(to.name()))
                .toList();
    }
}
