// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.sid.SidFormat;
import org.sextant.core.underlay.SidPlan;
import org.sextant.kit.Endpoint;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.Waypoint;
import org.sextant.usid.Policy.Explicit;
import org.sextant.usid.Policy.WeightedHops;

/**
 * Strict hops along a random walk through a random network: the packet takes exactly that walk over the named links,
 * whatever the underlay prefers.
 */
class RandomExplicitTest {
    private static final List<SidFormat> FORMATS =
            List.of(SidFormat.F3216, SidFormat.F4816, SidFormat.F1616, SidFormat.F4832, SidFormat.F3232);

    @Property(tries = 300)
    void strict_hops_are_taken_exactly(
            @ForAll Random random,
            @ForAll @IntRange(min = 2, max = 12) int size,
            @ForAll @IntRange(min = 1, max = 15) int length) {
        SidFormat format = FORMATS.get(random.nextInt(FORMATS.size()));
        Network network = uneven(random, RandomPolicyTest.connected(random, size, 3, format));
        List<Link> walk = walk(random, network, length);
        List<Boolean> named = new ArrayList<>();
        List<Hop> hops = new ArrayList<>();
        for (Link link : walk) {
            named.add(random.nextBoolean());
            hops.add(
                    named.get(named.size() - 1)
                            ? overLink(network, link, !hops.isEmpty() && random.nextBoolean())
                            : new Hop.ToNode(node(link), false));
        }
        Plan plan = plan(network, walk, hops);
        Assume.that(
                plan.problems().stream().noneMatch(problem -> problem.message().contains("cannot pin its own link")));
        boolean circles =
                walk.get(0).from().node().equals(walk.get(walk.size() - 1).to().node());
        assertThat(plan.feasible()).as("%s", plan.problems()).isEqualTo(!circles);
        Assume.that(!circles);
        plan.explanation().get("directions").forEach(direction -> follows(direction.get("hops"), walk, named));
    }

    /** A link by its ports, or as bits with the same meaning, which a headend cannot process. */
    private static Hop overLink(Network network, Link link, boolean bits) {
        Node near = network.node(link.from().node()).orElseThrow();
        SidPlan plan = SidPlan.of(near).orElseThrow();
        List<Long> usids = List.of(plan.usid(), plan.uaUsid(link.from().port()));
        return bits
                ? new Hop.Usids(plan.srv6().block(), usids, plan.format().usidLength(), true)
                : new Hop.OverLink(link.id(), false);
    }

    private static Waypoint node(Link link) {
        return new Waypoint(link.to().node());
    }

    private static Plan plan(Network network, List<Link> walk, List<Hop> hops) {
        List<Endpoint> steering = List.of(Endpoint.parse("2001:db8::/32"), Endpoint.parse("192.0.2.0/24"));
        Explicit path = new Explicit(
                new Waypoint(walk.get(0).from().node()),
                List.of(new WeightedHops(1, hops)),
                Optional.empty(),
                steering);
        Policy policy = new Policy(Optional.empty(), path, Decap.F00D, Optional.empty(), true);
        return Fig4.kind().explain(new NumberedIntent<>("x", 1, policy), new CompileContext(network, Map.of()));
    }

    private static void follows(JsonNode hops, List<Link> walk, List<Boolean> named) {
        int at = 0;
        for (JsonNode hop : hops) {
            boolean sends = hop.has("link") && at < walk.size();
            if (!sends) {
                continue; // the same node forwards the packet, or it is at its end
            }
            Link wanted = walk.get(at);
            assertThat(hop.get("node").textValue()).isEqualTo(wanted.from().node());
            if (named.get(at)) {
                assertThat(hop.get("link").textValue()).isEqualTo(wanted.id());
                assertThat(hop.has("otherLinks")).isFalse();
            }
            at++;
        }
        assertThat(at).isEqualTo(walk.size());
        assertThat(hops.get(hops.size() - 1).get("node").textValue())
                .isEqualTo(walk.get(walk.size() - 1).to().node());
    }

    /** Metrics such that the direct link is often not the shortest path. */
    private static Network uneven(Random random, Network network) {
        List<Link> links = network.links().stream()
                .map(link -> Fig4.metric(link, 1 + random.nextInt(30)))
                .toList();
        return new Network(network.nodes().values(), links, network.hosts().values());
    }

    private static List<Link> walk(Random random, Network network, int length) {
        List<Link> walk = new ArrayList<>();
        String at = "n" + random.nextInt(network.nodes().size());
        for (int i = 0; i < length; i++) {
            List<Link> links = network.linksFrom(at);
            Link next = links.get(random.nextInt(links.size()));
            walk.add(next);
            at = next.to().node();
        }
        return walk;
    }
}
