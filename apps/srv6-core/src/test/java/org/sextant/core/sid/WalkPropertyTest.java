// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Paths;
import org.sextant.core.sid.Fib.Adjacency;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.Behavior.Family;

/** For any connected network, format and path: a packed program performs the steps of the path at every node. */
class WalkPropertyTest {

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void every_packed_program_walks_to_its_end(
            @ForAll long seed,
            @ForAll @IntRange(min = 2, max = 8) int size,
            @ForAll @IntRange(min = 0, max = 4) int format,
            @ForAll @IntRange(min = 0, max = 9) int waypoints) {
        Random random = new Random(seed);
        Domain domain =
                new Domain(SidFormat.byName(SidFormat.names().get(format)).orElseThrow(), random, size);
        List<Atom> atoms = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < waypoints; i++) {
            int node = random.nextInt(size);
            boolean adjacency = random.nextInt(3) == 0;
            int port = 1 + random.nextInt(domain.network.linksFrom("n" + node).size());
            atoms.add(adjacency ? domain.atom(node, domain.local(0xe0, port)) : domain.atom(node));
            expected.add("n" + node + (adjacency ? " uA" : " uN"));
        }
        int egress = random.nextInt(size);
        atoms.add(domain.atom(egress, domain.local(0xf0, 0xd)).closing());
        expected.add("n" + egress + " uDT6");

        List<Ipv6> segments = Packing.pack(atoms).stream().map(Container::sid).toList();
        boolean reduced = random.nextBoolean();
        Trace trace = Walk.encapsulate(domain.fib, "n0", reduced, segments, Payload.of(Family.IPV6));

        assertThat(trace.failure()).isEmpty();
        assertThat(trace.hops().stream()
                        .filter(hop -> !hop.behavior().equals("forward")
                                && !hop.behavior().startsWith("H.Encaps"))
                        .map(hop -> hop.node() + " " + hop.behavior()))
                .isEqualTo(expected);
        assertThat(trace.hops().get(0).segmentsLeft()).isEqualTo(segments.size() - 1);
        assertThat(trace.arrival()).contains(new Trace.Arrival("n" + egress, "uDT6", Optional.of(0), Optional.empty()));
        followsLinks(trace, domain.network);
    }

    /** Every hop continues where the link of the one before ends. */
    private static void followsLinks(Trace trace, Network network) {
        for (int i = 0; i + 1 < trace.hops().size(); i++) {
            Trace.Hop hop = trace.hops().get(i);
            String next = hop.link()
                    .map(id -> network.links().stream()
                            .filter(link -> link.id().equals(id))
                            .findFirst()
                            .orElseThrow()
                            .to()
                            .node())
                    .orElse(hop.node());
            assertThat(trace.hops().get(i + 1).node()).isEqualTo(next);
            assertThat(trace.hops().get(i + 1).destinationAddress())
                    .isEqualTo(hop.leaving().orElseThrow());
        }
    }

    /** A ring with random chords, and the tables that make it an SR domain of one format. */
    private static final class Domain {
        final SidFormat format;
        final IpPrefix block;
        final Network network;
        final TestFib fib = new TestFib();

        Domain(SidFormat format, Random random, int size) {
            this.format = format;
            this.block = IpPrefix.of(Ipv6.parse("fcbb:bbbb:cccc::"), format.blockLength());
            this.network = ring(random, size);
            Paths paths = new Paths(network);
            for (String node : network.nodes().keySet()) {
                tables(node, Integer.parseInt(node.substring(1)), paths);
            }
        }

        private void tables(String node, int index, Paths paths) {
            int length = format.usidLength();
            fib.sid(node, prefix(usid(index)), new Behavior.Un(format.blockLength(), length));
            fib.sid(node, prefix(usid(index), local(0xf0, 0xd)), new Behavior.Udt(Family.IPV6, 0));
            for (Link link : network.linksFrom(node)) {
                fib.sid(
                        node,
                        prefix(usid(index), local(0xe0, link.from().port())),
                        new Behavior.Ua(
                                format.blockLength(), 2 * length, link.from().port()));
                fib.nextHop(node, link.from().port(), adjacency(link));
            }
            for (int other = 0; other < network.nodes().size(); other++) {
                if (other != index) {
                    fib.route(
                            node,
                            0,
                            prefix(usid(other)),
                            paths.nextHops(node, "n" + other, Metric.IGP).stream()
                                    .map(Domain::adjacency)
                                    .toArray(Adjacency[]::new));
                }
            }
        }

        private static Adjacency adjacency(Link link) {
            return new Adjacency(link.id(), link.to().node(), false);
        }

        Atom.Compressed atom(int node, long... locals) {
            long[] usids = new long[1 + locals.length];
            usids[0] = usid(node);
            System.arraycopy(locals, 0, usids, 1, locals.length);
            return Atom.Compressed.of(block, format, usids);
        }

        long usid(int node) {
            return 0x100L * (node + 1);
        }

        long local(int top, int offset) {
            return ((long) top << format.usidLength() - 8) + offset;
        }

        private String prefix(long... usids) {
            Ipv6 sid = (Ipv6) block.address();
            int length = format.blockLength();
            for (long usid : usids) {
                sid = sid.with(length, format.usidLength(), usid);
                length += format.usidLength();
            }
            return sid + "/" + length;
        }

        private static Network ring(Random random, int size) {
            List<Node> nodes = new ArrayList<>();
            int[] ports = new int[size];
            List<Link> links = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                nodes.add(
                        new Node("n" + i, "device:n" + i, "", "", Optional.empty(), new TreeMap<>(), Optional.empty()));
                connect(links, ports, i, (i + 1) % size, 1 + random.nextInt(3));
                if (random.nextBoolean() && size > 3) {
                    connect(links, ports, i, (i + 2) % size, 1 + random.nextInt(3));
                }
            }
            return new Network(nodes, links, List.of());
        }

        private static void connect(List<Link> links, int[] ports, int a, int b, int metric) {
            Link.End from = new Link.End("n" + a, ++ports[a]);
            Link.End to = new Link.End("n" + b, ++ports[b]);
            links.add(new Link(from, to, metric, metric, 0, 0, Set.of(), Set.of(), true));
            links.add(new Link(to, from, metric, metric, 0, 0, Set.of(), Set.of(), true));
        }
    }
}
