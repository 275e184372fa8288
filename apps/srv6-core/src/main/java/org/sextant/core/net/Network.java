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
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sextant.core.ip.IpPrefix;

/**
 * A snapshot of the network: immutable, iterated in a fixed order, so that the same snapshot always compiles to the
 * same bytes. Links are directed; a link of a missing node does not exist.
 */
public final class Network {
    public static final Network EMPTY = new Network(List.of(), List.of(), List.of());

    private final SortedMap<String, Node> nodes;
    private final List<Link> links;
    private final SortedMap<String, Host> hosts;
    private final Map<String, List<Link>> linksFrom;
    private final Map<String, List<Host>> hostsAt;
    private final Set<IpPrefix> blocks;
    private final LinkRules rules;
    private final SortedMap<String, Instant> restores;

    /** One without measured delays, whose links do not wait to be restored. */
    public Network(Collection<Node> nodes, Collection<Link> links, Collection<Host> hosts) {
        this(nodes, links, hosts, LinkRules.NO_WAIT);
    }

    public Network(Collection<Node> nodes, Collection<Link> links, Collection<Host> hosts, LinkRules rules) {
        this(nodes, links, hosts, rules, new TreeMap<>());
    }

    private Network(
            Collection<Node> nodes,
            Collection<Link> links,
            Collection<Host> hosts,
            LinkRules rules,
            SortedMap<String, Instant> restores) {
        this.rules = rules;
        this.restores = Collections.unmodifiableSortedMap(restores);
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

    /** All that a network follows from. */
    public record Parts(
            List<Node> nodes,
            List<Link> links,
            List<Host> hosts,
            LinkRules rules,
            SortedMap<String, Instant> restores) {}

    public Parts parts() {
        return new Parts(List.copyOf(nodes.values()), links, List.copyOf(hosts.values()), rules, restores);
    }

    /** The network with these {@link #parts}. */
    public static Network of(Parts parts) {
        return new Network(parts.nodes(), parts.links(), parts.hosts(), parts.rules(), parts.restores());
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
     * How fast a link is, as the nodes at its ends say of their ports: the slower of both, in kbit/s; 0 if neither says. For
     * showing: what may be promised of a link is its {@link Link#capacityKbps}.
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

    /** By id, the links that are up and not used yet, and when they are if they stay up ({@link LinkRestoration}). */
    public SortedMap<String, Instant> restores() {
        return restores;
    }

    /** The same with these links, some of which wait for their restoration. */
    Network with(Collection<Link> other, SortedMap<String, Instant> waiting) {
        return new Network(nodes.values(), other, hosts.values(), rules, waiting);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Network that
                && nodes.equals(that.nodes)
                && links.equals(that.links)
                && hosts.equals(that.hosts)
                && rules.equals(that.rules)
                && restores.equals(that.restores);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * nodes.hashCode() + links.hashCode()) + hosts.hashCode();
    }
}
