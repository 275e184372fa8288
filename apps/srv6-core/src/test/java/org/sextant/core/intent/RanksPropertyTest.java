// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.net.Paths;
import org.sextant.core.net.Protection;
import org.sextant.core.protect.Guard;
import org.sextant.core.protect.Guarding;
import org.sextant.core.protect.Nets;
import org.sextant.core.protect.NodeGuards;
import org.sextant.core.te.Step;
import org.sextant.core.underlay.Underlay;

/** Packets among nodes of which some have their new routes and others have not: by ranks, and in any order within one. */
class RanksPropertyTest {
    private static final Protection LINK = new Protection(true, false, false);

    @Property(tries = 200)
    void a_lost_link_costs_no_packet_and_makes_no_circle(
            @ForAll long seed, @ForAll @IntRange(min = 3, max = 12) int size) {
        Random random = new Random(seed);
        Network before =
                Nets.random(seed, size, size + random.nextInt(size)).with(LINK).network();
        Link lost = before.links().get(random.nextInt(before.links().size()));
        Network after = changed(before, link -> link.withUp(!isSame(link, lost)));
        Moment moment = new Moment(before, after, random, true);
        for (moment.step = 0; moment.step <= size; moment.step++) {
            moment.begin();
            moment.check();
        }
    }

    /** Without repairs: they are for one failure. */
    @Property(tries = 200)
    void nothing_that_comes_goes_or_costs_another_makes_a_circle(
            @ForAll long seed, @ForAll @IntRange(min = 3, max = 12) int size) {
        Random random = new Random(seed);
        Network all =
                Nets.random(seed, size, size + random.nextInt(size)).with(LINK).network();
        Network before = changed(all, link -> link.withUp(random.nextInt(5) > 0));
        Network after = changed(before, link -> other(link, random));
        Moment moment = new Moment(before, after, random, false);
        for (moment.step = 0; moment.step <= size; moment.step++) {
            moment.begin();
            moment.check();
        }
    }

    /** Clockwise from b's neighbor; and what happens if the node that lost its link is first. */
    @Test
    void in_a_ring_the_node_at_the_lost_link_is_last() {
        Network before = new Nets()
                .road("a", "b", 1)
                .road("b", "c", 1)
                .road("c", "d", 1)
                .road("d", "e", 1)
                .road("e", "f", 1)
                .road("f", "a", 1)
                .with(LINK)
                .network();
        Network after = changed(
                before,
                link -> link.withUp(!Set.of("a", "b")
                        .equals(Set.of(link.from().node(), link.to().node()))));
        Moment moment = new Moment(before, after, new Random(1), true);
        assertThat(moment.changing("b")).isEqualTo(Set.of("a", "e", "f"));
        assertThat(List.of("e", "f", "a")).extracting(moment.ranks("b")::of).containsExactly(0, 1, 2);
        moment.haveChanged.put("b", Set.of("e"));
        assertThat(moment.send("f", "b", new HashSet<>())).isEqualTo(Fate.ARRIVES);
        moment.haveChanged.put("b", Set.of("a"));
        assertThat(moment.send("f", "b", new HashSet<>())).isEqualTo(Fate.CIRCLES);
    }

    private static boolean isSame(Link link, Link other) {
        return link.id().equals(other.id()) || link.id().equals(other.to() + "-" + other.from());
    }

    private static Link other(Link link, Random random) {
        int metric = random.nextInt(3) > 0 ? link.igpMetric() : 1 + random.nextInt(5);
        return new Link(
                link.from(),
                link.to(),
                metric,
                metric,
                link.delayMicros(),
                link.mtuBytes(),
                link.srlgs(),
                link.affinities(),
                random.nextInt(4) > 0 ? link.up() : !link.up());
    }

    private interface Change {
        Link of(Link link);
    }

    private static Network changed(Network network, Change change) {
        return new Network(
                network.nodes().values(),
                network.links().stream().map(change::of).toList(),
                List.of());
    }

    private enum Fate {
        ARRIVES,
        DROPPED,
        CIRCLES
    }

    /** Some nodes have their new routes: all of the ranks before the step, and any of that rank. */
    private static final class Moment {
        private final Network before;
        private final Paths old;
        private final Paths next;
        private final Set<String> alive;
        private final Random random;
        private final boolean repairing;
        private final Map<String, NodeGuards> guards = new HashMap<>();
        private final Map<String, Set<String>> haveChanged = new HashMap<>();
        int step;

        Moment(Network before, Network after, Random random, boolean repairing) {
            this.repairing = repairing;
            this.before = before;
            this.random = random;
            old = new Paths(before);
            next = new Paths(after);
            alive = after.links().stream().filter(Link::up).map(Link::id).collect(Collectors.toSet());
            Guarding guarding = new Guarding(new Underlay(before));
            before.nodes().values().forEach(node -> guards.put(node.name(), guarding.of(node)));
        }

        Set<String> changing(String to) {
            return before.nodes().keySet().stream()
                    .filter(node -> !hops(next, node, to).isEmpty()
                            && !hops(old, node, to).equals(hops(next, node, to)))
                    .collect(Collectors.toSet());
        }

        Ranks ranks(String to) {
            return new Ranks(changing(to), node -> neighbors(hops(next, node, to)));
        }

        void begin() {
            for (String to : before.nodes().keySet()) {
                Ranks ranks = ranks(to);
                Set<String> done = changing(to).stream()
                        .filter(node -> ranks.of(node) < step || ranks.of(node) == step && random.nextBoolean())
                        .collect(Collectors.toSet());
                haveChanged.put(to, done);
            }
        }

        void check() {
            for (String from : before.nodes().keySet()) {
                for (String to : before.nodes().keySet()) {
                    Fate fate = send(from, to, new HashSet<>());
                    boolean served = next.distance(from, to, Metric.IGP).isPresent()
                            && old.distance(from, to, Metric.IGP).isPresent();
                    assertThat(fate)
                            .as("%s to %s at step %d, changed: %s", from, to, step, haveChanged)
                            .isNotEqualTo(Fate.CIRCLES);
                    if (repairing && served) {
                        assertThat(fate)
                                .as("%s to %s at step %d", from, to, step)
                                .isEqualTo(Fate.ARRIVES);
                    }
                }
            }
        }

        /** By every one of equally short ways. */
        Fate send(String at, String to, Set<String> passed) {
            if (at.equals(to)) {
                return Fate.ARRIVES;
            }
            if (!passed.add(at + " to " + to)) {
                return Fate.CIRCLES;
            }
            boolean changed = haveChanged.getOrDefault(to, Set.of()).contains(at);
            List<Link> out = hops(changed ? next : old, at, to).stream()
                    .filter(link -> alive.contains(link.id()))
                    .toList();
            Fate fate = out.isEmpty() ? repair(at, to, passed) : Fate.ARRIVES;
            for (Link link : out) {
                Fate one = send(link.to().node(), to, new HashSet<>(passed));
                fate = fate.compareTo(one) > 0 ? fate : one;
            }
            return fate;
        }

        private Fate repair(String at, String to, Set<String> passed) {
            Optional<Guard> guard = repairing ? guards.get(at).towards(to) : Optional.empty();
            String place = at;
            Fate fate = guard.flatMap(Guard::repair).isEmpty() ? Fate.DROPPED : Fate.ARRIVES;
            for (Step one :
                    guard.flatMap(Guard::repair).map(repair -> repair.steps()).orElse(List.of())) {
                Fate leg = one instanceof Step.OverLink ? Fate.ARRIVES : send(place, one.node(), new HashSet<>(passed));
                fate = fate.compareTo(leg) > 0 ? fate : leg;
                place = one.node();
            }
            return fate == Fate.ARRIVES ? send(place, to, passed) : fate;
        }

        private static List<Link> hops(Paths paths, String from, String to) {
            return new ArrayList<>(paths.nextHops(from, to, Metric.IGP))
                    .stream().map(link -> link.withUp(true)).toList();
        }

        private static Collection<String> neighbors(List<Link> links) {
            return links.stream().map(link -> link.to().node()).toList();
        }
    }
}
