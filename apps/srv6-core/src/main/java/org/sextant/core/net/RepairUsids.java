// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;

/**
 * Gives each node of a network with repairs a second uSID, under which repairs reach it (ADR 27). The description may
 * name it; else it is the mirror image of the node's own in the GIB (0x0100 and 0xdf00 of F3216, as most networks
 * number nodes from the bottom), or the next free one below. Free is a uSID whose prefix neither contains nor lies
 * within a prefix by which another node or the same one is reached: routes of that prefix would take packets of
 * repairs, or have a standby.
 *
 * <p>Depends on the nodes alone, so every controller gives the same.
 */
public final class RepairUsids {
    private static final int NUMBERING_BITS = 4;
    /** A GIB that is so full gets no more; a node without one is in no repair. */
    private static final int MOST_TRIES = 1 << 16;

    private final PrefixSet taken = new PrefixSet();

    private RepairUsids() {}

    /**
     * The nodes with a uSID for repairs each, if any of them requests repairs; else unchanged.
     *
     * @param nodes with the numbering settled
     */
    public static List<Node> settle(Collection<Node> nodes, Collection<Host> hosts) {
        boolean wanted = nodes.stream()
                .anyMatch(node ->
                        node.srv6().map(srv6 -> srv6.protection().link()).orElse(false));
        return wanted ? new RepairUsids().settled(nodes, hosts) : List.copyOf(nodes);
    }

    private List<Node> settled(Collection<Node> nodes, Collection<Host> hosts) {
        nodes.forEach(node -> {
            node.ports().values().forEach(port -> port.addresses().forEach(on -> take(on.address())));
            node.srv6().ifPresent(srv6 -> {
                reached(srv6).forEach(taken::add);
                srv6.repairUsid().ifPresent(usid -> taken.add(prefix(srv6, usid)));
            });
        });
        hosts.forEach(host -> host.addresses().forEach(this::take));
        Map<String, Srv6> settled = new TreeMap<>();
        new TreeMap<>(byName(nodes))
                .forEach((name, node) -> node.srv6()
                        .ifPresent(srv6 -> settled.put(name, srv6.repairUsid().isPresent() ? srv6 : given(srv6))));
        return nodes.stream()
                .map(node -> settled.containsKey(node.name()) ? with(node, settled.get(node.name())) : node)
                .toList();
    }

    private static Map<String, Node> byName(Collection<Node> nodes) {
        Map<String, Node> byName = new HashMap<>();
        nodes.forEach(node -> byName.put(node.name(), node));
        return byName;
    }

    private void take(IpAddress address) {
        if (address instanceof Ipv6) {
            taken.add(new IpPrefix(address, address.bits()));
        }
    }

    private Srv6 given(Srv6 srv6) {
        OptionalLong free = free(srv6);
        if (free.isEmpty()) {
            return srv6;
        }
        taken.add(prefix(srv6, free.getAsLong()));
        return srv6.withRepairUsid(free.getAsLong());
    }

    private OptionalLong free(Srv6 srv6) {
        long count = srv6.format().localStart() - 1;
        long first = srv6.format().localStart() - srv6.usid();
        for (long i = 0; i < Math.min(count, MOST_TRIES); i++) {
            long usid = Math.floorMod(first - 1 - i, count) + 1;
            if (!taken.overlaps(prefix(srv6, usid))) {
                return OptionalLong.of(usid);
            }
        }
        return OptionalLong.empty();
    }

    /** The prefixes by which other nodes route to the node outside of repairs. */
    static List<IpPrefix> reached(Srv6 srv6) {
        IpPrefix locator = prefix(srv6, srv6.usid());
        List<IpPrefix> reached = new ArrayList<>();
        reached.add(srv6.numbered() ? new IpPrefix(locator.address(), locator.length() - NUMBERING_BITS) : locator);
        reached.add(new IpPrefix(srv6.encapSource(), srv6.encapSource().bits()));
        srv6.gtpLocator().ifPresent(reached::add);
        return reached;
    }

    /** Block and uSID. */
    static IpPrefix prefix(Srv6 srv6, long usid) {
        return new IpPrefix(
                Srv6Reader.nodeSid(srv6.block(), srv6.format(), usid),
                srv6.format().blockLength() + srv6.format().usidLength());
    }

    private static Node with(Node node, Srv6 srv6) {
        return new Node(
                node.name(),
                node.deviceId(),
                node.management(),
                node.pipeconf(),
                Optional.of(srv6),
                node.ports(),
                node.location());
    }

    /** Prefixes of IPv6, for the question which of them a further one overlaps. */
    private static final class PrefixSet {
        private final TreeSet<Ipv6> addresses = new TreeSet<>();
        private final Map<Integer, Set<Ipv6>> byLength = new TreeMap<>();

        void add(IpPrefix prefix) {
            addresses.add((Ipv6) prefix.address());
            byLength.computeIfAbsent(prefix.length(), length -> new HashSet<>()).add((Ipv6) prefix.address());
        }

        boolean overlaps(IpPrefix prefix) {
            Ipv6 address = (Ipv6) prefix.address();
            Ipv6 next = addresses.ceiling(address);
            if (next != null && prefix.contains(next)) {
                return true;
            }
            return byLength.entrySet().stream()
                    .anyMatch(ofLength -> ofLength.getKey() <= prefix.length()
                            && ofLength.getValue().contains(address.truncate(ofLength.getKey())));
        }
    }
}
