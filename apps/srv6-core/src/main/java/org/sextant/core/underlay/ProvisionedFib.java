// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.underlay;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Host;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Paths;
import org.sextant.core.sid.Fib;
import org.sextant.core.table.Behavior.Family;
import org.sextant.core.table.MySid;

/**
 * The tables of all nodes as {@code core.provision} makes them, computed from the network instead of from entries: a
 * thousand nodes have a million routes, and a walk needs a dozen. It assumes that MAC addresses and capabilities are
 * present, so that a plan can be walked before any node is connected; only the next hop id of a host without one is not
 * known.
 *
 * <p>Safe for many threads; results for a node or a destination are cached.
 */
public final class ProvisionedFib implements Fib {
    private final Network network;
    private final Paths paths;

    /** The owner of each prefix: by length, longest first, then by address. */
    private final TreeMap<Integer, Map<Ipv6, String>> owners = new TreeMap<>((a, b) -> b - a);

    private final Map<String, Tables> tables = new ConcurrentHashMap<>();

    /** The local tables of one node. */
    private record Tables(
            TreeMap<Integer, Map<Ipv6, MySid>> sids,
            Map<Integer, Adjacency> nextHops,
            Map<IpAddress, List<Adjacency>> hosts) {}

    public ProvisionedFib(Network network, Paths paths) {
        this.network = network;
        this.paths = paths;
        network.nodes()
                .values()
                .forEach(node -> SidPlan.of(node)
                        .ifPresent(sids -> sids.reachedUnder().forEach(prefix -> own(prefix, node.name()))));
    }

    private void own(IpPrefix prefix, String node) {
        owners.computeIfAbsent(prefix.length(), length -> new HashMap<>()).putIfAbsent((Ipv6) prefix.address(), node);
    }

    @Override
    public Optional<MySid> mySid(String node, Ipv6 destination) {
        return Optional.ofNullable(longest(tables(node).sids, destination));
    }

    @Override
    public List<Adjacency> route(String node, int vrf, IpAddress destination) {
        if (vrf != 0) {
            return List.of();
        }
        Tables own = tables(node);
        List<Adjacency> host = own.hosts.get(destination);
        if (host != null) {
            return host;
        }
        Optional<String> owner = destination instanceof Ipv6 ipv6 ? owner(ipv6) : Optional.empty();
        if (owner.isEmpty()) {
            return List.of();
        }
        List<Adjacency> members = new ArrayList<>(2);
        for (Link link : paths.nextHops(node, owner.get(), Metric.IGP)) {
            members.add(own.nextHops.get(NextHopIds.ofPort(link.from().port())));
        }
        return members;
    }

    /** The node that packets to an address are routed to. */
    Optional<String> owner(Ipv6 destination) {
        return Optional.ofNullable(longest(owners, destination));
    }

    @Override
    public Optional<Adjacency> adjacency(String node, int nextHop) {
        return Optional.ofNullable(tables(node).nextHops.get(nextHop));
    }

    /** Provisioning makes no lists. */
    @Override
    public List<List<Ipv6>> segmentLists(String node, int sidList) {
        return List.of();
    }

    private static <T> @Nullable T longest(SortedMap<Integer, Map<Ipv6, T>> table, Ipv6 address) {
        for (Map.Entry<Integer, Map<Ipv6, T>> entry : table.entrySet()) {
            T found = entry.getValue().get(address.truncate(entry.getKey()));
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private Tables tables(String node) {
        return tables.computeIfAbsent(node, this::build);
    }

    private Tables build(String name) {
        Tables built = new Tables(new TreeMap<>((a, b) -> b - a), new HashMap<>(), new HashMap<>());
        List<Link> up = network.linksFrom(name).stream().filter(Link::up).toList();
        up.forEach(link -> built.nextHops.put(
                NextHopIds.ofPort(link.from().port()),
                new Adjacency(link.id(), link.to().node(), false)));
        List<Host> hosts = network.hostsAt(name);
        Map<NextHopIds.Attachment, Integer> ids = NextHopIds.ofHosts(hosts.stream()
                .filter(host -> host.mac().isPresent())
                .map(NextHopIds.Attachment::of)
                .toList());
        for (Host host : hosts) {
            Adjacency adjacency = new Adjacency(host.location().toString(), host.name(), true);
            host.mac()
                    .map(mac -> ids.get(NextHopIds.Attachment.of(host)))
                    .ifPresent(id -> built.nextHops.put(id, adjacency));
            host.addresses().forEach(address -> built.hosts.put(address, List.of(adjacency)));
        }
        Optional<Node> node = network.node(name);
        node.flatMap(SidPlan::of).ifPresent(sids -> {
            add(built, sids.un());
            up.forEach(link -> add(built, sids.ua(link.from().port())));
            for (Family family : List.of(Family.IPV6, Family.IPV4)) {
                add(built, sids.marker(family));
                add(built, sids.udt(family, 0));
                sids.numberedUdt(family).ifPresent(sid -> add(built, sid));
            }
            List<Integer> ports = up.stream().map(link -> link.from().port()).toList();
            sids.repairs().ifPresent(repairs -> repairs.all(ports).forEach(sid -> add(built, sid)));
        });
        return built;
    }

    private static void add(Tables tables, MySid sid) {
        tables.sids
                .computeIfAbsent(sid.sid().length(), length -> new HashMap<>())
                .put((Ipv6) sid.sid().address(), sid);
    }
}
