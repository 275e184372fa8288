// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Overload;
import org.sextant.core.net.Paths;
import org.sextant.core.net.Protection;
import org.sextant.core.protect.Guard;
import org.sextant.core.protect.Nets;
import org.sextant.core.protect.NodeGuards;
import org.sextant.core.protect.ProtectionPlanner;
import org.sextant.core.te.Step;
import org.sextant.core.underlay.Underlay;

/**
 * Packets among nodes that get their new routes one by one as the graph allows, confirm them in any order, or never answer:
 * after every step, between all pairs.
 */
class MayGraphPropertyTest {
    private static final Protection LINK = new Protection(true, false, false);
    private static final Protection NODE = new Protection(true, true, false);
    private static final Protection SRLG = new Protection(true, false, true);

    @Property(tries = 200)
    void a_lost_link_costs_no_packet_and_no_packet_loops(
            @ForAll long seed, @ForAll @IntRange(min = 3, max = 12) int size) {
        Random random = new Random(seed);
        Network before = network(random, size, LINK);
        Link lost = before.links().get(random.nextInt(before.links().size()));
        Network after = changed(before, link -> link.withUp(!isSame(link, lost)));
        Update update = new Update(before, after, random, true, Set.of());
        update.run();
        update.allAreChanged();
    }

    /** Neighbors of a dead node use their repairs around it until all have their new routes. */
    @Property(tries = 200)
    void a_lost_node_costs_only_the_packets_that_have_no_repair(
            @ForAll long seed, @ForAll @IntRange(min = 4, max = 12) int size) {
        Random random = new Random(seed);
        Network before = network(random, size, NODE);
        String dead = List.copyOf(before.nodes().keySet()).get(random.nextInt(size));
        Network after = changed(
                before,
                link -> link.withUp(
                        !link.from().node().equals(dead) && !link.to().node().equals(dead)));
        Update update = new Update(before, after, random, true, Set.of(dead));
        update.run();
        update.allAreChangedBut(Set.of(dead));
    }

    /** All links of a shared risk are lost at once. */
    @Property(tries = 200)
    void a_lost_shared_risk_costs_only_the_packets_that_have_no_repair(
            @ForAll long seed, @ForAll @IntRange(min = 4, max = 12) int size) {
        Random random = new Random(seed);
        Network before = changed(
                network(random, size, SRLG),
                link -> withRisk(link, Math.floorMod(pair(link).hashCode() + (int) seed, 5)));
        Network after = changed(before, link -> link.withUp(!link.srlgs().contains(1)));
        Update update = new Update(before, after, random, true, Set.of());
        update.run();
        update.allAreChangedBut(Set.of());
    }

    /** A node that restarts has no route until it is written; one that refuses a write keeps its route. */
    @Property(tries = 400)
    void no_packet_loops_while_nodes_reboot_and_refuse(
            @ForAll long seed, @ForAll @IntRange(min = 3, max = 12) int size) {
        Random random = new Random(seed);
        Network before = network(random, size, LINK);
        Update update = new Update(before, changed(before, link -> other(link, random)), random, false, Set.of());
        for (String node : before.nodes().keySet()) {
            switch (random.nextInt(4)) {
                case 0 -> update.refuses(node);
                case 1 -> {
                    update.steps(random.nextInt(10));
                    update.reboot(node);
                }
                default -> {}
            }
        }
        update.run();
        update.onlyDependentsWait();
    }

    /** Without repairs: they are for one failure. */
    @Property(tries = 200)
    void no_packet_loops_whatever_comes_goes_or_costs_another(
            @ForAll long seed, @ForAll @IntRange(min = 3, max = 12) int size) {
        Random random = new Random(seed);
        Network before = changed(network(random, size, LINK), link -> link.withUp(random.nextInt(5) > 0));
        Network after = changed(before, link -> other(link, random));
        Update update = new Update(before, after, random, false, Set.of());
        update.run();
        update.allAreChanged();
    }

    /** Routes sent to silent nodes may be there or not; nodes that do not depend on them are changed. */
    @Property(tries = 400)
    void no_packet_loops_while_nodes_are_silent(@ForAll long seed, @ForAll @IntRange(min = 3, max = 12) int size) {
        Random random = new Random(seed);
        Network before = network(random, size, LINK);
        Network after = changed(before, link -> other(link, random));
        Set<String> silent = before.nodes().keySet().stream()
                .filter(node -> random.nextInt(4) == 0)
                .collect(Collectors.toSet());
        Update update = new Update(before, after, random, false, silent);
        update.run();
        update.onlyDependentsWait();
    }

    /** The drained node does not answer, and need not: its own routes do not change. */
    @Property(tries = 200)
    void a_node_that_is_drained_and_its_return_cost_no_packet(
            @ForAll long seed, @ForAll @IntRange(min = 3, max = 12) int size) {
        Random random = new Random(seed);
        Network before = network(random, size, LINK);
        String node = List.copyOf(before.nodes().keySet()).get(random.nextInt(size));
        Network drained = before.withOverloads(new TreeMap<>(Map.of(node, new Overload(Instant.EPOCH, true))));
        Update leaving = new Update(before, drained, random, true, Set.of(node));
        leaving.run();
        leaving.allAreChanged();
        Update returning = new Update(drained, before, random, true, Set.of());
        returning.run();
        returning.allAreChanged();
    }

    /** With another change halfway, and other nodes that do not answer. */
    @Property(tries = 200)
    void no_packet_loops_when_nodes_are_drained_and_links_change(
            @ForAll long seed, @ForAll @IntRange(min = 3, max = 12) int size) {
        Random random = new Random(seed);
        Network before = network(random, size, LINK);
        Set<String> silent = before.nodes().keySet().stream()
                .filter(node -> random.nextInt(4) == 0)
                .collect(Collectors.toSet());
        TreeMap<String, Overload> drained = new TreeMap<>();
        silent.forEach(node -> drained.put(node, new Overload(Instant.EPOCH, true)));
        Update update = new Update(before, before.withOverloads(drained), random, false, silent);
        update.steps(random.nextInt(20));
        update.plan(changed(before, link -> other(link, random)).withOverloads(drained));
        update.run();
        update.onlyDependentsWait();
    }

    /** A second change of the network meets an update that is half done. */
    @Property(tries = 200)
    void no_packet_loops_when_the_plan_changes_meanwhile(
            @ForAll long seed, @ForAll @IntRange(min = 3, max = 12) int size) {
        Random random = new Random(seed);
        Network before = network(random, size, LINK);
        Update update = new Update(before, changed(before, link -> other(link, random)), random, false, Set.of());
        update.steps(random.nextInt(10));
        update.plan(changed(before, link -> other(link, random)));
        update.run();
        update.allAreChanged();
    }

    private static Network network(Random random, int size, Protection protection) {
        return Nets.random(random.nextLong(), size, size + random.nextInt(size))
                .with(protection)
                .network();
    }

    private static Set<Link.End> pair(Link link) {
        return Set.of(link.from(), link.to());
    }

    private static Link withRisk(Link link, int risk) {
        return Nets.like(link, link.igpMetric(), Set.of(risk), link.up());
    }

    /** Clockwise from b's neighbor; then the case in which the node that lost its link is first. */
    @Test
    void in_a_ring_the_node_at_the_lost_link_is_last() {
        Update update = withoutAb(Set.of());
        assertThat(update.allowed("b")).isEqualTo(Set.of("e"));
        assertThat(update.obstacle("a", "b")).hasValue(List.of("f", "a"));
        update.confirm("e", "b");
        assertThat(update.allowed("b")).isEqualTo(Set.of("f"));
        assertThat(update.send("f", "b", new HashSet<>())).isEqualTo(Fate.ARRIVES);
        update.confirm("a", "b");
        assertThat(update.send("f", "b", new HashSet<>())).isEqualTo(Fate.CIRCLES);
    }

    @Test
    void behind_a_silent_node_of_a_ring_all_keep_what_they_have() {
        Update update = withoutAb(Set.of("e"));
        update.run();
        assertThat(update.changing("b")).isEqualTo(Set.of("a", "f"));
        assertThat(update.send("a", "b", new HashSet<>())).isEqualTo(Fate.ARRIVES);
    }

    /** The ring a-b-c-d-e-f loses the link a-b. */
    private static Update withoutAb(Set<String> silent) {
        Network before = ring();
        Network after = changed(
                before,
                link -> link.withUp(!Set.of("a", "b")
                        .equals(Set.of(link.from().node(), link.to().node()))));
        return new Update(before, after, new Random(1), true, silent);
    }

    private static Network ring() {
        return Nets.ring("a", "b", "c", "d", "e", "f").with(LINK).network();
    }

    private static boolean isSame(Link link, Link other) {
        return link.id().equals(other.id()) || link.id().equals(other.to() + "-" + other.from());
    }

    private static Link other(Link link, Random random) {
        int metric = random.nextInt(3) > 0 ? link.igpMetric() : 1 + random.nextInt(5);
        return Nets.like(link, metric, link.srlgs(), random.nextInt(4) > 0 ? link.up() : !link.up());
    }

    private interface Change {
        Link of(Link link);
    }

    private static Network changed(Network network, Change change) {
        return network.withLinks(network.links().stream().map(change::of).toList());
    }

    private enum Fate {
        ARRIVES,
        DROPPED,
        CIRCLES
    }

    /** One update of all routes of a network, node by node. */
    private static final class Update {
        private final Network before;
        private final Random random;
        private final boolean repairing;
        private final Set<String> silent;
        private final Map<String, NodeGuards> guards = new HashMap<>();

        /** Routes by destination and node: the last confirmed one, those sent since, and the real one. */
        private final Map<String, Map<String, Set<Link>>> confirmed = new HashMap<>();

        private final Map<String, Map<String, List<Set<Link>>>> sent = new HashMap<>();
        private final Map<String, Map<String, Set<Link>>> real = new HashMap<>();
        private final Set<String> refusing = new HashSet<>();
        private final Set<String> refused = new HashSet<>();
        private final Paths old;
        private Paths planned;
        private Set<String> alive;

        Update(Network before, Network after, Random random, boolean repairing, Set<String> silent) {
            this.before = before;
            this.random = random;
            this.repairing = repairing;
            this.silent = silent;
            old = new Paths(before);
            plan(after);
            ProtectionPlanner guarding = new ProtectionPlanner(new Underlay(before));
            for (Node node : before.nodes().values()) {
                guards.put(node.name(), guarding.of(node));
                confirmed.put(node.name(), new HashMap<>());
                sent.put(node.name(), new HashMap<>());
                real.put(node.name(), new HashMap<>());
            }
            for (String to : before.nodes().keySet()) {
                for (String at : before.nodes().keySet()) {
                    confirmed.get(to).put(at, hops(old, at, to));
                    real.get(to).put(at, hops(old, at, to));
                }
            }
        }

        void plan(Network after) {
            planned = new Paths(after);
            alive = after.links().stream().filter(Link::up).map(Link::id).collect(Collectors.toSet());
        }

        /** Sends and confirms in any order until nothing is left; routes that are gone are not written, as packets end there. */
        void run() {
            steps(Integer.MAX_VALUE);
        }

        void steps(int most) {
            check();
            for (int step = 0; step < most && step(); step++) {
                check();
            }
        }

        private boolean step() {
            List<Runnable> possible = new ArrayList<>();
            for (String to : before.nodes().keySet()) {
                for (String at : allowed(to)) {
                    possible.add(() -> write(at, to));
                }
                sent.get(to).forEach((at, some) -> {
                    if (!some.isEmpty() && !silent.contains(at)) {
                        possible.add(() -> {
                            if (refusing.contains(at)) {
                                refuse(at, to);
                            } else {
                                confirm(at, to);
                            }
                        });
                    }
                });
            }
            if (possible.isEmpty()) {
                return false;
            }
            // Several at once: as many as one batch and one answer change.
            possible.get(random.nextInt(possible.size())).run();
            return true;
        }

        void refuses(String node) {
            refusing.add(node);
        }

        /** The node has no entries any more, and that is known, as it was read. */
        void reboot(String node) {
            for (String to : before.nodes().keySet()) {
                sent.get(to).remove(node);
                confirmed.get(to).put(node, Set.of());
                real.get(to).put(node, Set.of());
            }
        }

        private void refuse(String at, String to) {
            sent.get(to).get(at).clear();
            real.get(to).put(at, confirmed.get(to).get(at));
            refused.add(at + " to " + to);
        }

        private void write(String at, String to) {
            Set<Link> wanted = hops(planned, at, to);
            sent.get(to).computeIfAbsent(at, node -> new ArrayList<>()).add(wanted);
            if (random.nextBoolean() && !refusing.contains(at)) {
                real.get(to).put(at, wanted);
            }
        }

        void confirm(String at, String to) {
            List<Set<Link>> some = sent.get(to).computeIfAbsent(at, node -> new ArrayList<>());
            Set<Link> last = some.isEmpty() ? hops(planned, at, to) : some.get(some.size() - 1);
            some.clear();
            confirmed.get(to).put(at, last);
            real.get(to).put(at, last);
        }

        /** Nodes that are to have another route than they confirmed, and were not sent one. */
        Set<String> changing(String to) {
            return before.nodes().keySet().stream()
                    .filter(at -> !hops(planned, at, to).isEmpty())
                    .filter(at ->
                            !hops(planned, at, to).equals(confirmed.get(to).get(at)))
                    .filter(at -> sent.get(to).getOrDefault(at, List.of()).isEmpty())
                    .collect(Collectors.toSet());
        }

        Set<String> allowed(String to) {
            return changing(to).stream()
                    .filter(at -> !refused.contains(at + " to " + to))
                    .filter(at -> obstacle(at, to).isEmpty())
                    .collect(Collectors.toSet());
        }

        Optional<List<String>> obstacle(String at, String to) {
            boolean carries = !live(confirmed.get(to).get(at)).isEmpty();
            return MayGraph.obstacle(at, neighbors(hops(planned, at, to)), carries, new MayGraph.Routes() {
                @Override
                public Collection<String> next(String node) {
                    Set<Link> links = new HashSet<>(confirmed.get(to).get(node));
                    sent.get(to).getOrDefault(node, List.of()).forEach(links::addAll);
                    return neighbors(links);
                }

                @Override
                public boolean mayDrop(String node) {
                    return !node.equals(to)
                            && confirmed.get(to).get(node).isEmpty()
                            && !hops(planned, node, to).isEmpty();
                }
            });
        }

        void allAreChanged() {
            allAreChangedBut(Set.of());
        }

        void allAreChangedBut(Set<String> dead) {
            for (String to : before.nodes().keySet()) {
                Set<String> left = changing(to);
                left.removeAll(dead);
                assertThat(left).as("to %s", to).isEmpty();
            }
        }

        /** A node that waits has a silent one, or one that waits, on its new paths. */
        void onlyDependentsWait() {
            for (String to : before.nodes().keySet()) {
                for (String at : changing(to)) {
                    Set<String> path = new HashSet<>();
                    collect(at, to, path);
                    if (!refusing.contains(at)) {
                        path.remove(at);
                    }
                    Set<String> held = new HashSet<>(silent);
                    held.addAll(refusing);
                    assertThat(path).as("%s to %s", at, to).containsAnyElementsOf(held);
                }
            }
        }

        private void collect(String at, String to, Set<String> path) {
            if (path.add(at)) {
                neighbors(hops(planned, at, to)).forEach(next -> collect(next, to, path));
            }
        }

        void check() {
            for (String from : before.nodes().keySet()) {
                for (String to : before.nodes().keySet()) {
                    Fate fate = send(from, to, new HashSet<>());
                    boolean served = planned.distance(from, to, Metric.IGP).isPresent()
                            && old.distance(from, to, Metric.IGP).isPresent();
                    assertThat(fate).as("%s to %s", from, to).isNotEqualTo(Fate.CIRCLES);
                    if (repairing && served) {
                        assertThat(fate).as("%s to %s", from, to).isEqualTo(Fate.ARRIVES);
                    }
                }
            }
        }

        /** Sends a packet over every one of equally short paths. */
        Fate send(String at, String to, Set<String> passed) {
            return send(at, to, passed, repairing);
        }

        /** @param repairable false in a repair, whose header stays to the destination: its SIDs are of locators without repairs */
        private Fate send(String at, String to, Set<String> passed, boolean repairable) {
            if (at.equals(to)) {
                return Fate.ARRIVES;
            }
            if (!passed.add(at + " to " + to + (repairable ? "" : " in a repair"))) {
                return Fate.CIRCLES;
            }
            Set<Link> out = live(real.get(to).get(at));
            Fate fate = !out.isEmpty() ? Fate.ARRIVES : repairable ? repair(at, to, passed) : Fate.DROPPED;
            for (Link link : out) {
                Fate one = send(link.to().node(), to, new HashSet<>(passed), repairable);
                fate = fate.compareTo(one) > 0 ? fate : one;
            }
            return fate;
        }

        private Set<Link> live(Set<Link> links) {
            return links.stream().filter(link -> alive.contains(link.id())).collect(Collectors.toSet());
        }

        private Fate repair(String at, String to, Set<String> passed) {
            Optional<Guard> guard = guards.get(at).towards(to);
            String place = at;
            Fate fate = guard.flatMap(Guard::repair).isEmpty() ? Fate.DROPPED : Fate.ARRIVES;
            for (Step one :
                    guard.flatMap(Guard::repair).map(repair -> repair.steps()).orElse(List.of())) {
                Fate leg = leg(place, one, passed);
                fate = fate.compareTo(leg) > 0 ? fate : leg;
                place = one.node();
            }
            return fate == Fate.ARRIVES ? send(place, to, passed, false) : fate;
        }

        private Fate leg(String place, Step one, Set<String> passed) {
            if (one instanceof Step.OverLink over) {
                return alive.contains(over.link().id()) ? Fate.ARRIVES : Fate.DROPPED;
            }
            return send(place, one.node(), new HashSet<>(passed), false);
        }

        private static Set<Link> hops(Paths paths, String from, String to) {
            return paths.nextHops(from, to, Metric.IGP).stream()
                    .map(link -> link.withUp(true))
                    .collect(Collectors.toSet());
        }

        private static Set<String> neighbors(Collection<Link> links) {
            return links.stream().map(link -> link.to().node()).collect(Collectors.toSet());
        }
    }
}
