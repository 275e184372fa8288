// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Overload;
import org.sextant.core.net.Paths;
import org.sextant.core.net.Protection;
import org.sextant.core.sid.Header;
import org.sextant.core.sid.Payload;
import org.sextant.core.sid.Trace;
import org.sextant.core.sid.Walk;
import org.sextant.core.table.Behavior.Family;
import org.sextant.core.te.Step;
import org.sextant.core.underlay.SidPlan;
import org.sextant.core.underlay.Underlay;

/** Repairs against trying every failure and every list of uSIDs, with packets sent by the tables from before. */
class ProtectionPlannerPropertyTest {
    private static final int HOP_LIMIT = 255;

    @Property(tries = 100)
    void repairs_hold_and_nothing_is_uncovered_that_any_list_would_cover(
            @ForAll long seed, @ForAll @IntRange(min = 2, max = 7) int size) {
        Nets nets = Nets.random(seed, size, size + Math.floorMod(seed, 5));
        check(nets.network());
    }

    @Property(tries = 20)
    void so_they_do_where_blocks_and_formats_differ_and_nodes_have_no_sids(
            @ForAll long seed, @ForAll @IntRange(min = 3, max = 7) int size) {
        Nets nets = Nets.random(seed, size, size + Math.floorMod(seed, 5));
        check(nets.plain("n" + Math.floorMod(seed, size), "n" + Math.floorMod(seed / 11, size))
                .mixed());
    }

    @Property(tries = 50)
    void so_they_do_where_links_share_several_risks(@ForAll long seed, @ForAll @IntRange(min = 3, max = 7) int size) {
        check(Nets.risky(seed, size, size + Math.floorMod(seed, 5)).network());
    }

    @Property(tries = 50)
    void so_they_do_where_nodes_are_drained(@ForAll long seed, @ForAll @IntRange(min = 3, max = 7) int size) {
        Random random = new Random(seed);
        TreeMap<String, Overload> drained = new TreeMap<>();
        for (int i = 0; i <= random.nextInt(2); i++) {
            drained.put("n" + random.nextInt(size), new Overload(Instant.EPOCH, true));
        }
        check(Nets.random(seed, size, size + Math.floorMod(seed, 5)).network().withOverloads(drained));
    }

    @Property(tries = 20)
    @Tag("slow")
    void so_they_do_in_networks_of_twenty(@ForAll long seed) {
        check(Nets.random(seed, 20, 32).network());
    }

    private static void check(Network network) {
        Underlay underlay = new Underlay(network);
        ProtectionPlanner guarding = new ProtectionPlanner(underlay);
        for (Node node : network.nodes().values()) {
            if (node.srv6().isEmpty()) {
                continue;
            }
            NodeGuards guards = guarding.of(node, Nets.ALL);
            for (Node destination : network.nodes().values()) {
                Optional<Guard> guard = guards.towards(destination.name());
                List<Link> members = underlay.paths().nextHops(node.name(), destination.name(), Metric.IGP);
                assertThat(guard.isPresent())
                        .isEqualTo(!members.isEmpty() && destination.srv6().isPresent());
                guard.ifPresent(one -> new Case(underlay, node, destination, members).check(one));
            }
        }
    }

    private record Case(Underlay underlay, Node node, Node destination, List<Link> members) {

        void check(Guard guard) {
            Failure failure = Failure.of(members, Nets.ALL);
            boolean neighbor = failure.node().filter(destination.name()::equals).isPresent();
            Failure most = neighbor ? failure.withoutNode() : failure;
            if (guard.repair().isPresent()) {
                holds(guard);
            }
            if (guard.byEqualLinks()) {
                assertThat(members).hasSizeGreaterThan(1);
            }
            Set<Gap.What> missing = guard.gaps().stream().map(Gap::what).collect(Collectors.toSet());
            assertThat(guard.covers())
                    .isEqualTo(
                            missing.contains(Gap.What.LINK)
                                    ? Protection.NONE
                                    : new Protection(
                                            true, !missing.contains(Gap.What.NODE), !missing.contains(Gap.What.SRLG)));
            guard.gaps().forEach(gap -> isPrecise(gap, guard, most));
            for (Failure one : most.milder()) {
                if (members.size() > 1 && one.isPlain()) {
                    assertThat(guard.byEqualLinks()).isTrue();
                    return;
                }
                if (guard.failure().filter(one::equals).isPresent()) {
                    return;
                }
                assertThat(new Everything(this, one).best())
                        .as("%s to %s around %s", node.name(), destination.name(), one)
                        .isEmpty();
            }
            assertThat(guard.covers()).isEqualTo(Protection.NONE);
        }

        /** A reason holds for the risk alone, and TOGETHER only for one that some list avoids. */
        private void isPrecise(Gap gap, Guard guard, Failure most) {
            for (Failure single : most.singles()) {
                boolean meant = gap.what() == Gap.What.NODE && single.node().isPresent()
                        || gap.what() == Gap.What.SRLG
                                && gap.srlgs().containsAll(single.srlgs())
                                && single.node().isEmpty();
                if (meant && gap.why() != Gap.Why.DESTINATION) {
                    assertThat(new Everything(this, single).best().isPresent())
                            .as("%s of %s", gap, guard)
                            .isEqualTo(gap.why() == Gap.Why.TOGETHER);
                }
            }
        }

        /** The packet arrives, over no failed link, at the cost of the post-convergence path. */
        private void holds(Guard guard) {
            Network network = underlay.network();
            Failure failure = guard.failure().orElseThrow();
            Set<String> lost =
                    network.links().stream().filter(failure::hits).map(Link::id).collect(Collectors.toSet());
            SidPlan sids = SidPlan.of(destination).orElseThrow();
            Ipv6 there = (Ipv6) sids.marker(Family.IPV6).sid().address();
            Header inner = new Header(there, Optional.empty(), HOP_LIMIT, Payload.of(Family.IPV6));
            List<Ipv6> segments = guard.repair().orElseThrow().segments(destination.name(), network);
            Trace trace = Walk.from(
                    new FailedFib(underlay.fib(), lost),
                    node.name(),
                    Header.encapsulated(segments, true, HOP_LIMIT, inner));
            assertThat(trace.failure()).as("%s by %s", this, guard).isEmpty();
            assertThat(trace.arrival().orElseThrow().node()).isEqualTo(destination.name());
            assertThat(trace.links()).doesNotContainAnyElementsOf(lost);
            assertThat(trace.hops().stream()
                            .filter(hop -> hop.behavior().contains("DT6"))
                            .map(Trace.Hop::node))
                    .as("where headers come off")
                    .containsOnly(destination.name());
            Best best = new Everything(this, failure).best().orElseThrow();
            Repair repair = guard.repair().orElseThrow();
            assertThat(new Best(cost(repair), repair.usids(destination.name())))
                    .as("cost and uSIDs of %s", repair.text())
                    .isEqualTo(best);
            long converged = new Paths(without(failure))
                    .distance(node.name(), destination.name(), Metric.IGP)
                    .orElseThrow();
            if (network.nodes().values().stream().allMatch(one -> one.srv6().isPresent())) {
                assertThat(best.cost()).isEqualTo(converged);
            } else {
                assertThat(best.cost()).isGreaterThanOrEqualTo(converged);
            }
        }

        private Network without(Failure failure) {
            Network network = underlay.network();
            return network.withLinks(network.links().stream()
                    .map(link -> link.withUp(!failure.hits(link)))
                    .toList());
        }

        private long cost(Repair repair) {
            long cost = 0;
            String at = node.name();
            for (Step step : repair.steps()) {
                cost += step instanceof Step.OverLink over
                        ? underlay.network().routedMetric(over.link())
                        : distance(at, step.node());
                at = step.node();
            }
            return cost + distance(at, destination.name());
        }

        private long distance(String from, String to) {
            OptionalLong distance = underlay.paths().distance(from, to, Metric.IGP);
            return distance.orElseThrow();
        }
    }

    /** The cost of a list, and the number of its uSIDs. */
    private record Best(long cost, int usids) {
        boolean isBetterThan(Best other) {
            return cost < other.cost || cost == other.cost && usids < other.usids;
        }

        Best plus(long more, int moreUsids) {
            return new Best(cost + more, usids + moreUsids);
        }
    }

    /** Extends every list by every uSID until nothing gets better: that is all lists of any length. */
    private record Everything(Case one, Failure failure) {
        private record Place(String node, boolean own) {}

        Optional<Best> best() {
            String self = one.node.name();
            Map<Place, Best> known = new HashMap<>();
            known.put(new Place(self, false), new Best(0, 0));
            List<Place> open = new ArrayList<>(known.keySet());
            while (!open.isEmpty()) {
                Place place = open.remove(open.size() - 1);
                Best here = known.get(place);
                Map<Place, Best> next = new HashMap<>();
                for (Node node : one.underlay.network().nodes().values()) {
                    if (node.srv6().isPresent() && !node.name().equals(self)) {
                        arrives(place.node, node.name())
                                .ifPresent(cost -> next.put(new Place(node.name(), true), here.plus(cost, 1)));
                    }
                }
                if (one.underlay.network().node(place.node).orElseThrow().srv6().isPresent()) {
                    for (Link link : one.underlay.network().linksFrom(place.node)) {
                        if (!failure.hits(link)) {
                            next.merge(
                                    new Place(link.to().node(), false),
                                    here.plus(one.underlay.network().routedMetric(link), place.own ? 1 : 2),
                                    (a, b) -> a.isBetterThan(b) ? a : b);
                        }
                    }
                }
                next.forEach((to, best) -> {
                    if (!known.containsKey(to) || best.isBetterThan(known.get(to))) {
                        known.put(to, best);
                        open.add(to);
                    }
                });
            }
            Optional<Best> best = Optional.empty();
            for (Map.Entry<Place, Best> entry : known.entrySet()) {
                if (entry.getKey().own) {
                    Optional<Long> rest = arrives(entry.getKey().node, one.destination.name());
                    int last = entry.getKey().node.equals(one.destination.name()) ? 1 : 2;
                    Optional<Best> all = rest.map(cost -> entry.getValue().plus(cost, last));
                    if (all.isPresent() && (best.isEmpty() || all.get().isBetterThan(best.get()))) {
                        best = all;
                    }
                }
            }
            return best;
        }

        /**
         * By the tables from before the failure, over every path that a packet may take; the repairing node leaves out
         * its failed links.
         */
        private Optional<Long> arrives(String from, String to) {
            if (failure.node().filter(to::equals).isPresent()
                    || failure.node().filter(from::equals).isPresent()) {
                return Optional.empty();
            }
            Set<String> seen = new HashSet<>(Set.of(from));
            List<String> open = new ArrayList<>(seen);
            while (!open.isEmpty()) {
                String at = open.remove(open.size() - 1);
                if (at.equals(to)) {
                    continue;
                }
                List<Link> next = one.underlay.paths().nextHops(at, to, Metric.IGP);
                List<Link> left =
                        next.stream().filter(link -> !failure.hits(link)).toList();
                boolean some =
                        at.equals(one.node.name()) ? !left.isEmpty() : left.size() == next.size() && !left.isEmpty();
                if (!some) {
                    return Optional.empty();
                }
                for (Link link : left) {
                    if (seen.add(link.to().node())) {
                        open.add(link.to().node());
                    }
                }
            }
            return Optional.of(one.distance(from, to));
        }
    }
}
