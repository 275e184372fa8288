// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Host;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Port;
import org.sextant.core.net.Srv6;
import org.sextant.core.sid.SidFormat;
import org.sextant.kit.Endpoint;
import org.sextant.kit.path.Waypoint;
import org.sextant.usid.Policy.Between;
import org.sextant.usid.Policy.Return;

/** In a connected network every list of nodes is a policy: it compiles, and compiling includes walking every path. */
class RandomPolicyTest {
    private static final List<SidFormat> FORMATS =
            List.of(SidFormat.F3216, SidFormat.F4816, SidFormat.F1616, SidFormat.F4832, SidFormat.F3232);

    @Property(tries = 300)
    void every_list_of_nodes_of_a_connected_network_walks(
            @ForAll Random random,
            @ForAll @IntRange(min = 2, max = 25) int size,
            @ForAll @IntRange(min = 2, max = 14) int length) {
        Network network = connected(random, size, 3, FORMATS.get(random.nextInt(FORMATS.size())));
        List<Waypoint> nodes = path(random, size, length);
        Decap decap = random.nextBoolean() ? Decap.F00D : Decap.UDT;
        Return back = random.nextBoolean() ? Return.SYMMETRIC : Return.ONE_WAY;
        Policy policy = new Policy(
                Optional.empty(),
                new Between(host(nodes.get(0)), host(nodes.get(nodes.size() - 1)), nodes, back),
                decap,
                Optional.empty(),
                random.nextBoolean());
        Plan plan = Fig4.kind().explain(new NumberedIntent<>("x", 1, policy), new CompileContext(network, Map.of()));
        assertThat(plan.problems()).isEmpty();
        plan.explanation().get("directions").forEach(direction -> {
            assertThat(direction.get("hops").findValuesAsText("node"))
                    .containsSubsequence(expected(nodes, direction.get("from").textValue()));
            assertThat(direction.get("encapsulationBytes").intValue())
                    .isLessThanOrEqualTo(direction.get("plainSrv6Bytes").intValue() + (policy.reduced() ? 16 : 32));
        });
    }

    private static List<String> expected(List<Waypoint> nodes, String from) {
        List<String> names = new ArrayList<>(nodes.stream().map(Waypoint::text).toList());
        if (!from.equals("h-" + names.get(0))) {
            java.util.Collections.reverse(names);
        }
        return names;
    }

    static Endpoint host(Waypoint node) {
        return new Endpoint.Named("h-" + node);
    }

    /** No node twice in a row, and two different ends. */
    static List<Waypoint> path(Random random, int size, int length) {
        List<Integer> indexes = new ArrayList<>(List.of(random.nextInt(size)));
        while (indexes.size() < length || indexes.get(0).equals(indexes.get(indexes.size() - 1))) {
            int next = random.nextInt(size);
            if (next != indexes.get(indexes.size() - 1)) {
                indexes.add(next);
            }
        }
        return indexes.stream().map(index -> new Waypoint("n" + index)).toList();
    }

    /**
     * A random tree around a few core nodes and some more links, so that there are ties. With a core of three no two
     * nodes are more than four hops apart: 13 legs stay below the hop limit. Each node has one host with both families.
     */
    static Network connected(Random random, int size, int core, SidFormat format) {
        List<Node> nodes = new ArrayList<>();
        List<Link> links = new ArrayList<>();
        List<Host> hosts = new ArrayList<>();
        int[] ports = new int[size];
        IpPrefix block = IpPrefix.of(Ipv6.parse("fcbb:bbbb:cccc::"), format.blockLength());
        for (int i = 0; i < size; i++) {
            if (i > 0) {
                join(links, ports, i, random.nextInt(Math.min(i, core)));
            }
            Srv6 srv6 = new Srv6(block, format, 0x10L * (i + 1), new Ipv6(0xfcffL << 48, i + 1));
            nodes.add(new Node(
                    "n" + i,
                    "device:n" + i,
                    "",
                    "org.sextant.linux",
                    Optional.of(srv6),
                    new TreeMap<Integer, Port>(),
                    Optional.empty()));
            List<IpAddress> addresses = List.of(new Ipv6(0xfd00L << 48, i + 1), new Ipv4(10 << 24 | i + 1));
            hosts.add(new Host("h-n" + i, Optional.empty(), addresses, new Link.End("n" + i, 500)));
        }
        for (int i = 0; i < size; i++) {
            int to = random.nextInt(size);
            if (to != i) {
                join(links, ports, i, to);
            }
        }
        return new Network(nodes, links, hosts);
    }

    private static void join(List<Link> links, int[] ports, int a, int b) {
        Link.End one = new Link.End("n" + a, ++ports[a]);
        Link.End other = new Link.End("n" + b, ++ports[b]);
        links.add(new Link(one, other, 10, 10, 0, 9000, Set.of(), Set.of(), true));
        links.add(new Link(other, one, 10, 10, 0, 9000, Set.of(), Set.of(), true));
    }
}
