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
import java.util.stream.StreamSupport;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Numbered;
import org.sextant.core.intent.Plan;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.sid.SidFormat;
import org.sextant.kit.Endpoint;
import org.sextant.kit.path.Waypoint;
import org.sextant.usid.Candidate.Affinity;
import org.sextant.usid.Candidate.Dynamic;
import org.sextant.usid.Candidate.Exclude;
import org.sextant.usid.Policy.Candidates;

/** Computed paths in random networks of up to 60 nodes: wherever the walk finds packets, the constraints are met. */
class RandomDynamicTest {
    private static final List<SidFormat> FORMATS = List.of(SidFormat.F3216, SidFormat.F4816, SidFormat.F3232);

    @Property(tries = 150)
    void the_walk_meets_all_constraints(@ForAll Random random, @ForAll @IntRange(min = 3, max = 60) int size) {
        SidFormat format = FORMATS.get(random.nextInt(FORMATS.size()));
        Network network = colored(random, RandomPolicyTest.connected(random, size, 4, format));
        Dynamic dynamic = dynamic(random);
        Plan plan = plan(network, dynamic);
        Assume.that(plan.feasible());
        JsonNode path = plan.explanation().at("/candidatePaths/0");
        assertThat(path.get("state").textValue()).isEqualTo("ACTIVE");
        for (JsonNode id : path.get("links")) {
            Link link = link(network, id.textValue());
            assertThat(dynamic.affinity().excludeAny()).noneMatch(link.affinities()::contains);
            assertThat(dynamic.exclude().srlgs()).noneMatch(link.srlgs()::contains);
            assertThat(link.from().node()).isNotEqualTo("n2");
        }
        dynamic.bounds().forEach((metric, most) -> {
            assertThat(path.at("/cost/" + CandidateJson.bound(metric)).longValue())
                    .isBetween(1L, most);
            assertThat(sum(network, plan.explanation().at("/directions/0/hops"), metric))
                    .isLessThanOrEqualTo(
                            path.at("/cost/" + CandidateJson.bound(metric)).longValue());
        });
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

    private static Dynamic dynamic(Random random) {
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

    private static Plan plan(Network network, Dynamic dynamic) {
        Candidates path = new Candidates(
                new Waypoint("n0"),
                new Waypoint("n1"),
                List.of(new Candidate(100, 0, dynamic)),
                List.of(Endpoint.parse("h-n1")));
        Policy policy = new Policy(Optional.empty(), path, Decap.UDT, Optional.empty(), true);
        return Fig4.kind().explain(new Numbered<>("x", 1, policy), new CompileContext(network, Map.of()));
    }

    /** Both directions of a link are alike. */
    private static Network colored(Random random, Network network) {
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
                            1 + own.nextInt(9),
                            9000,
                            own.nextInt(6) == 0 ? Set.of(1) : Set.of(),
                            own.nextInt(5) == 0 ? Set.of("red") : Set.of(),
                            true);
                })
                .toList();
        return new Network(network.nodes().values(), links, network.hosts().values());
    }
}
