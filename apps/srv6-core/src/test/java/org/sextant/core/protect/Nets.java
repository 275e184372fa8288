// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Port;
import org.sextant.core.net.Protection;
import org.sextant.core.net.RepairUsids;
import org.sextant.core.net.Srv6;
import org.sextant.core.sid.SidFormat;

/** Networks that are protected, for tests; {@code road} adds both directions of a link. */
public final class Nets {
    public static final Protection ALL = new Protection(true, true, true);

    private final List<Link> links = new ArrayList<>();
    private final Map<String, Integer> ports = new TreeMap<>();
    private final Set<String> plain = new TreeSet<>();
    private Protection protection = ALL;

    public Nets road(String one, String other, int igp, Integer... srlgs) {
        Link.End from = new Link.End(one, ports.merge(one, 1, Integer::sum));
        Link.End to = new Link.End(other, ports.merge(other, 1, Integer::sum));
        links.add(new Link(from, to, igp, igp, 0, 0, Set.of(srlgs), Set.of(), true));
        links.add(new Link(to, from, igp, igp, 0, 0, Set.of(srlgs), Set.of(), true));
        return this;
    }

    /** Roads of cost 1 from each node to the next, and from the last to the first. */
    public static Nets ring(String... nodes) {
        Nets ring = new Nets();
        for (int i = 0; i < nodes.length; i++) {
            ring.road(nodes[i], nodes[(i + 1) % nodes.length], 1);
        }
        return ring;
    }

    /** This direction has the given cost, the other one 1. */
    Nets slope(String one, String other, int up) {
        road(one, other, 1);
        Link there = links.get(links.size() - 2);
        links.set(
                links.size() - 2,
                new Link(there.from(), there.to(), up, up, 0, 0, there.srlgs(), there.affinities(), true));
        return this;
    }

    /** These nodes forward, and have no SIDs. */
    public Nets plain(String... nodes) {
        plain.addAll(List.of(nodes));
        return this;
    }

    public Nets with(Protection wanted) {
        protection = wanted;
        return this;
    }

    /** All nodes with uSIDs of one block. */
    public Network network() {
        return network(number -> new Srv6(
                        IpPrefix.parse("fcbb:bbbb::/32"),
                        SidFormat.F3216,
                        0x100L + 16 * number,
                        Ipv6.parse("fcff::" + Integer.toHexString(number + 1)))
                .with(protection));
    }

    /** Every third node in another block, every third with longer uSIDs. */
    Network mixed() {
        return network(number -> {
            Ipv6 source = Ipv6.parse("fcff::" + Integer.toHexString(number + 1));
            Srv6 srv6 = switch (number % 3) {
                case 0 -> new Srv6(IpPrefix.parse("fcbb:bbbb::/32"), SidFormat.F3216, 0x101L + number, source);
                case 1 -> new Srv6(IpPrefix.parse("fcbb:cccc:1::/48"), SidFormat.F4816, 0x101L + number, source);
                default -> new Srv6(IpPrefix.parse("fcdd:dddd::/32"), SidFormat.F3232, 0x101L + number, source);
            };
            return srv6.with(protection);
        });
    }

    private interface Sids {
        Srv6 of(int number);
    }

    private Network network(Sids sids) {
        List<Node> nodes = new ArrayList<>();
        for (String name : ports.keySet()) {
            int number = nodes.size();
            TreeMap<Integer, Port> own = new TreeMap<>();
            for (int port = 1; port <= ports.get(name); port++) {
                own.put(
                        port,
                        new Port(
                                port,
                                Optional.empty(),
                                Optional.of(new MacAddress(0x0200_0000_0000L + 0x1000L * number + port)),
                                0,
                                true,
                                List.of()));
            }
            nodes.add(new Node(
                    name,
                    "device:" + name,
                    "",
                    "",
                    plain.contains(name) ? Optional.empty() : Optional.of(sids.of(number)),
                    own,
                    Optional.empty()));
        }
        return new Network(RepairUsids.settle(nodes, List.of()), links, List.of());
    }

    /** The network after the loss of all links between two nodes. */
    public static Network without(Network network, String one, String other) {
        return new Network(
                network.nodes().values(),
                network.links().stream()
                        .map(link -> link.withUp(link.up() && !joins(link, one, other)))
                        .toList(),
                List.of());
    }

    private static boolean joins(Link link, String one, String other) {
        return Set.of(one, other).equals(Set.of(link.from().node(), link.to().node()));
    }

    /** The same link with other metrics, risks and state. */
    public static Link like(Link link, int metric, Set<Integer> risks, boolean up) {
        return new Link(
                link.from(),
                link.to(),
                metric,
                metric,
                link.delayMicros(),
                link.mtuBytes(),
                risks,
                link.affinities(),
                up);
    }

    /** Nodes n0, n1, …, some with links of one shared risk, parallel links and directions of unequal cost. */
    public static Nets random(long seed, int nodes, int roads) {
        Random random = new Random(seed);
        Nets nets = new Nets();
        for (int i = 0; i < roads; i++) {
            int one = i < nodes - 1 ? i + 1 : random.nextInt(nodes);
            int other = i < nodes - 1 ? random.nextInt(i + 1) : (one + 1 + random.nextInt(nodes - 1)) % nodes;
            if (random.nextInt(4) == 0) {
                nets.slope("n" + one, "n" + other, 1 + random.nextInt(5));
            } else if (random.nextInt(4) == 0) {
                nets.road("n" + one, "n" + other, 1 + random.nextInt(3), 7);
            } else {
                nets.road("n" + one, "n" + other, 1 + random.nextInt(3));
            }
        }
        return nets;
    }

    /** Nodes n0, n1, …, whose links have up to three of the shared risks 5, 7 and 9. */
    static Nets risky(long seed, int nodes, int roads) {
        Random random = new Random(seed);
        Nets nets = new Nets();
        for (int i = 0; i < roads; i++) {
            int one = i < nodes - 1 ? i + 1 : random.nextInt(nodes);
            int other = i < nodes - 1 ? random.nextInt(i + 1) : (one + 1 + random.nextInt(nodes - 1)) % nodes;
            Integer[] groups =
                    Stream.of(5, 7, 9).filter(group -> random.nextInt(4) == 0).toArray(Integer[]::new);
            nets.road("n" + one, "n" + other, 1 + random.nextInt(3), groups);
        }
        return nets;
    }

    /** A large one: a ring, and cords across it. */
    public static Network large(int nodes, int roads) {
        Random random = new Random(7);
        Nets nets = new Nets();
        for (int i = 0; i < roads; i++) {
            int one = i < nodes ? i : random.nextInt(nodes);
            int other = i < nodes ? (i + 1) % nodes : (one + 1 + random.nextInt(nodes - 1)) % nodes;
            nets.road("n" + one, "n" + other, 1 + random.nextInt(10));
        }
        return nets.network();
    }
}
