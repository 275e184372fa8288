// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sextant.core.ip.IpPrefix;

/**
 * A snapshot of the network: immutable, iterated in a fixed order, so that the same snapshot always compiles to the
 * same bytes. Links are directed; a link of a missing node does not exist.
 */
public final class Network {
    /**
     * The addition to the metric of links that leave a drained node, in shortest paths: more than any path without the node costs, as
     * RFC 6987 has it of a router's own links.
     */
    public static final int DRAINED_METRIC = 1 << 30;

    public static final Network EMPTY = new Network(List.of(), List.of(), List.of());

    private final SortedMap<String, Node> nodes;
    private final List<Link> links;
    private final SortedMap<String, Host> hosts;
    private final Map<String, List<Link>> linksFrom;
    private final Map<String, List<Host>> hostsAt;
    private final Set<IpPrefix> blocks;
    private final LinkRules rules;
    private final SortedMap<String, Instant> restores;
    private final SortedMap<String, Overload> overloads;

    /** A network without measured delays, whose links do not wait to be restored. */
    public Network(Collection<Node> nodes, Collection<Link> links, Collection<Host> hosts) {
        this(nodes, links, hosts, LinkRules.NO_WAIT);
    }

    public Network(Collection<Node> nodes, Collection<Link> links, Collection<Host> hosts, LinkRules rules) {
        this(nodes, links, hosts, rules, new TreeMap<>(), new TreeMap<>());
    }

    private Network(
            Collection<Node> nodes,
            Collection<Link> links,
            Collection<Host> hosts,
            LinkRules rules,
            SortedMap<String, Instant> restores,
            SortedMap<String, Overload> overloads) {
        this.rules = rules;
        this.restores = Collections.unmodifiableSortedMap(restores);
        this.overloads = Collections.unmodifiableSortedMap(overloads);
        SortedMap<String, Node> byName = new TreeMap<>();
        nodes.forEach(node -> byName.put(node.name(), node));
        SortedMap<String, Host> hostsByName = new TreeMap<>();
        hosts.forEach(host -> hostsByName.put(host.name(), host));
        Map<String, List<Link>> outgoing = new TreeMap<>();
        this.links = links.stream()
                .filter(link -> byName.containsKey(link.from().node())
                        && byName.containsKey(link.to().node()))
                .sorted()
                .toList();
        this.links.forEach(link -> outgoing.computeIfAbsent(link.from().node(), n -> new java.util.ArrayList<>())
                .add(link));
        this.nodes = Collections.unmodifiableSortedMap(byName);
        this.hosts = Collections.unmodifiableSortedMap(hostsByName);
        outgoing.replaceAll((node, list) -> List.copyOf(list));
        this.linksFrom = Collections.unmodifiableMap(outgoing);
        Map<String, List<Host>> attached = new TreeMap<>();
        this.hosts
                .values()
                .forEach(host -> attached.computeIfAbsent(host.location().node(), n -> new java.util.ArrayList<>())
                        .add(host));
        attached.replaceAll((node, list) -> List.copyOf(list));
        this.hostsAt = Collections.unmodifiableMap(attached);
        this.blocks = nodes.stream()
                .flatMap(node -> node.srv6().stream())
                .map(Srv6::block)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** All components of a network. */
    public record Parts(
            List<Node> nodes,
            List<Link> links,
            List<Host> hosts,
            LinkRules rules,
            SortedMap<String, Instant> restores,
            SortedMap<String, Overload> overloads) {}

    public Parts parts() {
        return new Parts(List.copyOf(nodes.values()), links, List.copyOf(hosts.values()), rules, restores, overloads);
    }

    /** The network with these {@link #parts}. */
    public static Network of(Parts parts) {
        return new Network(
                parts.nodes(), parts.links(), parts.hosts(), parts.rules(), parts.restores(), parts.overloads());
    }

    /** The SID blocks of all nodes. */
    public Set<IpPrefix> blocks() {
        return blocks;
    }

    /** By name. */
    public SortedMap<String, Node> nodes() {
        return nodes;
    }

    public Optional<Node> node(String name) {
        return Optional.ofNullable(nodes.get(name));
    }

    /** All links, up or down, sorted. */
    public List<Link> links() {
        return links;
    }

    /** The links that leave a node, up or down, sorted by port. */
    public List<Link> linksFrom(String node) {
        return linksFrom.getOrDefault(node, List.of());
    }

    /** By name. */
    public SortedMap<String, Host> hosts() {
        return hosts;
    }

    public Optional<Host> host(String name) {
        return Optional.ofNullable(hosts.get(name));
    }

    /** The hosts attached to a node, sorted by name. */
    public List<Host> hostsAt(String node) {
        return hostsAt.getOrDefault(node, List.of());
    }

    /**
     * The speed of a link, as the nodes at its ends report it of their ports: the slower of both, in kbit/s; 0 if
     * neither reports one. For display: reservations are bounded by the link's {@link Link#capacityKbps}.
     */
    public long speedKbps(Link link) {
        return Stream.of(link.from(), link.to())
                .flatMap(end -> node(end.node()).map(Node::ports).map(ports -> ports.get(end.port())).stream())
                .mapToLong(Port::speedKbps)
                .filter(kbps -> kbps > 0)
                .min()
                .orElse(0);
    }

    public LinkRules rules() {
        return rules;
    }

    /** True if the nodes differ in nothing but which of their ports are up, and how fast these are. */
    public boolean hasSameNodes(Network other) {
        return nodes.size() == other.nodes.size()
                && nodes.values().stream()
                        .allMatch(node -> other.node(node.name())
                                .filter(node::isSameButForPortState)
                                .isPresent());
    }

    /**
     * The links that are up and not used yet, by id, with the time of their use if they stay up
     * ({@link LinkRestoration}).
     */
    public SortedMap<String, Instant> restores() {
        return restores;
    }

    /** The same network with these links, some of which wait for their restoration. */
    Network with(Collection<Link> other, SortedMap<String, Instant> waiting) {
        return new Network(nodes.values(), other, hosts.values(), rules, waiting, overloads);
    }

    /** The nodes without a session to their agent ({@link SessionWatch}), by name. */
    public SortedMap<String, Overload> overloads() {
        return overloads;
    }

    /** The same network with these nodes overloaded, and no others. */
    public Network withOverloads(SortedMap<String, Overload> others) {
        return others.equals(overloads)
                ? this
                : new Network(nodes.values(), links, hosts.values(), rules, restores, new TreeMap<>(others));
    }

    /** The same network with these links. */
    public Network withLinks(Collection<Link> other) {
        return new Network(nodes.values(), other, hosts.values(), rules, restores, overloads);
    }

    /** Names of the nodes that routes avoid as transit. */
    public SortedSet<String> drained() {
        SortedSet<String> drained = new TreeSet<>();
        overloads.forEach((name, overload) -> {
            if (overload.drained()) {
                drained.add(name);
            }
        });
        return drained;
    }

    /** A link's metric for the shortest paths that nodes route by: {@link #DRAINED_METRIC} more where it leaves a drained node. */
    public int routedMetric(Link link) {
        Overload overload = overloads.get(link.from().node());
        return link.igpMetric() + (overload != null && overload.drained() ? DRAINED_METRIC : 0);
    }

    /** True if the two differ in nothing but which nodes are overloaded without being drained. */
    public boolean routesAs(Network other) {
        return nodes.equals(other.nodes)
                && links.equals(other.links)
                && hosts.equals(other.hosts)
                && rules.equals(other.rules)
                && restores.equals(other.restores)
                && drained().equals(other.drained());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Network that
                && nodes.equals(that.nodes)
                && links.equals(that.links)
                && hosts.equals(that.hosts)
                && rules.equals(that.rules)
                && restores.equals(that.restores)
                && overloads.equals(that.overloads);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * nodes.hashCode() + links.hashCode()) + hosts.hashCode();
    }
}
