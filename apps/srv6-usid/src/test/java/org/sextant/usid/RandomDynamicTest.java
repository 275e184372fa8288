// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Srv6;
import org.sextant.core.port.Capabilities;
import org.sextant.core.sid.SidFormat;
import org.sextant.kit.Endpoint;
import org.sextant.kit.Family;
import org.sextant.kit.path.Waypoint;
import org.sextant.usid.Candidate.Affinity;
import org.sextant.usid.Candidate.Dynamic;
import org.sextant.usid.Candidate.Exclude;
import org.sextant.usid.Policy.Candidates;

/** Computed paths in random networks of up to 60 nodes: every trace meets the constraints. */
class RandomDynamicTest {
    private static final List<SidFormat> FORMATS = List.of(SidFormat.F3216, SidFormat.F4816, SidFormat.F3232);

    @Property(tries = 150)
    void the_walk_meets_all_constraints(@ForAll Random random, @ForAll @IntRange(min = 3, max = 60) int size) {
        SidFormat format = FORMATS.get(random.nextInt(FORMATS.size()));
        Network network = withoutSids(random, colored(random, RandomPolicyTest.connected(random, size, 4, format)), 8);
        Dynamic dynamic = dynamic(random);
        Plan plan = plan(network, dynamic, Map.of());
        if (!plan.feasible()) {
            isNoPath(plan);
            return;
        }
        JsonNode path = plan.explanation().at("/candidatePaths/0");
        assertThat(path.get("state").textValue()).isEqualTo("ACTIVE");
        for (JsonNode id : path.get("links")) {
            Link link = link(network, id.textValue());
            assertThat(dynamic.affinity().excludeAny()).noneMatch(link.affinities()::contains);
            assertThat(dynamic.exclude().srlgs()).noneMatch(link.srlgs()::contains);
            assertThat(link.from().node()).isNotEqualTo("n2");
        }
        dynamic.bounds().forEach((metric, most) -> {
            assertThat(path.at("/cost/" + DynamicShape.bound(metric)).longValue())
                    .isBetween(1L, most);
            assertThat(sum(network, plan.explanation().at("/directions/0/hops"), metric))
                    .isLessThanOrEqualTo(
                            path.at("/cost/" + DynamicShape.bound(metric)).longValue());
        });
    }

    /**
     * Some nodes have no SIDs and only forward, others have theirs in two blocks of two formats; headends push one to
     * three segments.
     */
    @Property(tries = 600)
    void every_answer_is_that_of_looking_at_all_lists(
            @ForAll Random random,
            @ForAll @IntRange(min = 3, max = 6) int size,
            @ForAll @IntRange(min = 1, max = 3) int depth) {
        Network network = withoutSids(
                random,
                inTwoBlocks(random, colored(random, RandomPolicyTest.connected(random, size, 3, SidFormat.F3232))),
                2);
        Dynamic dynamic = dynamic(random);
        boolean knownDelay =
                dynamic.metric() == Metric.DELAY || dynamic.bounds().containsKey(Metric.DELAY);
        SegmentOracle oracle = new SegmentOracle(
                network,
                dynamic.metric(),
                link -> allows(dynamic, link) && !(knownDelay && link.knownDelayMicros() == 0),
                dynamic.bounds(),
                depth);
        Capabilities pushes = new Capabilities(
                Map.of(
                        "sid_list",
                        Set.of("segments_" + depth),
                        "steering_v6",
                        Set.of("h_encaps_red"),
                        "my_sid",
                        Set.of("un", "ua", "udt6")),
                Map.of());
        Plan plan = plan(network, dynamic, Map.of("n0", pushes));
        Optional<SegmentOracle.Best> best = oracle.best("n0", "n1");
        if (best.isEmpty()) {
            isNoPath(plan);
            return;
        }
        assertThat(plan.problems()).isEmpty();
        assertThat(new SegmentOracle.Best(
                        plan.explanation()
                                .at("/candidatePaths/0/cost/" + DynamicShape.bound(dynamic.metric()))
                                .longValue(),
                        plan.explanation().at("/directions/0/containers").size()))
                .isEqualTo(best.get());
    }

    /** A policy is rejected only for lack of a path, with the constraints that exclude one. */
    private static void isNoPath(Plan plan) {
        assertThat(plan.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.field()).isEqualTo("/candidatePaths/0/dynamic");
            assertThat(problem.message()).startsWith("no path ");
        });
    }

    private static boolean allows(Dynamic dynamic, Link link) {
        return !link.from().node().equals("n2")
                && !link.to().node().equals("n2")
                && dynamic.affinity().excludeAny().stream().noneMatch(link.affinities()::contains)
                && dynamic.exclude().srlgs().stream().noneMatch(link.srlgs()::contains);
    }

    /** One of {@code of} nodes, except the headend and the endpoint, has no SRv6 configuration. */
    private static Network withoutSids(Random random, Network network, int of) {
        return withNodes(network, node -> {
            boolean end = node.name().equals("n0") || node.name().equals("n1");
            return !end && random.nextInt(of) == 0 ? with(node, Optional.empty()) : node;
        });
    }

    private static Network inTwoBlocks(Random random, Network network) {
        IpPrefix other = IpPrefix.of(Ipv6.parse("fcaa:aaaa::"), SidFormat.F3216.blockLength());
        return withNodes(network, node -> {
            Srv6 srv6 = node.srv6().orElseThrow();
            return random.nextInt(3) == 0
                    ? with(node, Optional.of(new Srv6(other, SidFormat.F3216, srv6.usid(), srv6.encapSource())))
                    : node;
        });
    }

    private static Node with(Node node, Optional<Srv6> srv6) {
        return new Node(
                node.name(), node.deviceId(), node.management(), node.pipeconf(), srv6, node.ports(), node.location());
    }

    private static Network withNodes(Network network, UnaryOperator<Node> change) {
        return new Network(
                network.nodes().values().stream().map(change).toList(),
                network.links(),
                network.hosts().values());
    }

    private static long sum(Network network, JsonNode hops, Metric metric) {
        return StreamSupport.stream(hops.spliterator(), false)
                .filter(hop ->
                        hop.has("link") && hop.get("link").textValue().contains("-n")) // the last leads to a host
                .mapToLong(hop -> metric.of(link(network, hop.get("link").textValue())))
                .sum();
    }

    private static Link link(Network network, String id) {
        return network.links().stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    static Dynamic dynamic(Random random) {
        TreeMap<Metric, Long> bounds = new TreeMap<>();
        for (Metric metric : List.of(Metric.TE, Metric.DELAY, Metric.HOPS)) {
            if (random.nextInt(3) == 0) {
                bounds.put(metric, 3L + random.nextInt(30));
            }
        }
        return new Dynamic(
                Metric.values()[random.nextInt(4)],
                bounds,
                new Affinity(List.of(), List.of(), random.nextBoolean() ? List.of("red") : List.of()),
                new Exclude(List.of(new Waypoint("n2")), List.of(), random.nextBoolean() ? List.of(1) : List.of()),
                List.of());
    }

    private static Plan plan(Network network, Dynamic dynamic, Map<String, Capabilities> capabilities) {
        Candidates path = new Candidates(
                new Waypoint("n0"),
                new Waypoint("n1"),
                List.of(new Candidate(100, 0, dynamic)),
                List.of(Endpoint.parse("h-n1")));
        Policy policy = new Policy(Optional.empty(), path, Decap.UDT, Optional.of(Family.IPV6), true);
        return Fig4.kind().explain(new NumberedIntent<>("x", 1, policy), new CompileContext(network, capabilities));
    }

    /** Both directions of a link have the same colors. */
    static Network colored(Random random, Network network) {
        long seed = random.nextLong();
        List<Link> links = network.links().stream()
                .map(link -> {
                    int ends = link.from().hashCode() ^ link.to().hashCode();
                    Random own = new Random(seed ^ ends);
                    return new Link(
                            link.from(),
                            link.to(),
                            1 + own.nextInt(4),
                            1 + own.nextInt(9),
                            own.nextInt(8) == 0 ? 0 : 1 + own.nextInt(9),
                            9000,
                            own.nextInt(6) == 0 ? Set.of(1) : Set.of(),
                            own.nextInt(5) == 0 ? Set.of("red") : Set.of(),
                            true);
                })
                .toList();
        return new Network(network.nodes().values(), links, network.hosts().values());
    }
}
