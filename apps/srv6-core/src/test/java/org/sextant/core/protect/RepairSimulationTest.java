// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.net.NetworkFile;
import org.sextant.core.net.Node;
import org.sextant.core.net.Paths;
import org.sextant.core.net.Protection;
import org.sextant.core.provision.Fig4;
import org.sextant.core.underlay.Underlay;

/**
 * Whole networks under every failure of a link, a node, a shared risk, and two links at once, with every node repairing
 * on its own: a packet is on no link more than twice in a direction, is never longer by more than one repair, and
 * arrives where the repairs cover the failure.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RepairSimulationTest {
    private static final int SECONDS = Integer.getInteger("sextant.simulation.seconds", 30);
    private static final int FEWEST_NETWORKS = 10;
    private static final int MOST_NODES = 12;
    /** With the longest repair still a packet that fits links of 1,500 bytes. */
    private static final int USUAL_BYTES = 1300;

    private static final Protection LINK = new Protection(true, false, false);
    private static final List<Protection> KINDS =
            List.of(LINK, new Protection(true, true, false), new Protection(true, false, true), Nets.ALL);

    /** Links that are lost together. */
    private record Loss(String what, Set<String> links) {}

    @Test
    void a_dead_node_of_a_triangle_gets_packets_once() {
        for (Protection kind : KINDS) {
            Nets nets = new Nets().road("a", "b", 1).road("b", "c", 1).road("c", "a", 1);
            check("triangle", nets.with(kind).network());
        }
    }

    @Test
    void figure_4_holds_under_every_failure() throws IOException {
        for (Protection kind : KINDS) {
            check("figure 4", figure4(kind));
        }
    }

    @Test
    void random_networks_hold_under_every_failure() {
        long seed = Long.getLong("sextant.seed", System.nanoTime());
        System.out.println("RepairSimulationTest: -Dsextant.seed=" + seed);
        Random random = new Random(seed);
        long end = System.nanoTime() + SECONDS * 1_000_000_000L;
        int networks = 0;
        while (System.nanoTime() < end || networks < FEWEST_NETWORKS) {
            long one = random.nextLong();
            int size = 3 + random.nextInt(MOST_NODES - 2);
            int roads = size + random.nextInt(size);
            Nets nets = (random.nextInt(4) == 0 ? Nets.risky(one, size, roads) : Nets.random(one, size, roads))
                    .with(KINDS.get(random.nextInt(KINDS.size())));
            boolean plain = random.nextInt(4) == 0;
            Network network = plain ? nets.plain("n" + random.nextInt(size)).mixed() : nets.network();
            check("seed " + seed + ", network " + networks + " (" + one + ", " + size + ")", network);
            networks++;
        }
        System.out.println("RepairSimulationTest: " + networks + " networks");
    }

    private static Network figure4(Protection protection) throws IOException {
        String described = Files.readString(Path.of("../../lab/fig4.json"));
        String wanted = "{\"protection\": {\"node\": " + protection.node() + ", \"srlg\": " + protection.srlg() + "},";
        return Fig4.connected(
                NetworkFile.parse(described.replaceFirst("\\{", wanted)).orThrow());
    }

    private static void check(String name, Network network) {
        RepairSimulation simulation = new RepairSimulation(network);
        Coverage coverage = new Coverage(network);
        List<Loss> losses = losses(network);
        for (Node source : network.nodes().values()) {
            for (Node destination : network.nodes().values()) {
                if (!source.equals(destination) && destination.srv6().isPresent()) {
                    Set<String> usual = usual(simulation, source.name(), destination.name());
                    losses.stream()
                            .filter(loss -> !Collections.disjoint(usual, loss.links))
                            .forEach(loss -> new Case(
                                            name,
                                            network,
                                            simulation,
                                            coverage,
                                            source.name(),
                                            destination.name(),
                                            loss)
                                    .check());
                }
            }
        }
    }

    /** The links that packets may be on while nothing is lost: a loss of others changes nothing. */
    private static Set<String> usual(RepairSimulation simulation, String source, String destination) {
        Set<String> usual = new HashSet<>();
        simulation.send(source, destination, USUAL_BYTES, Set.of(), end -> {
            assertThat(end.arrived()).as("%s", end).isTrue();
            usual.addAll(end.links().keySet());
        });
        return usual;
    }

    private record Case(
            String name,
            Network network,
            RepairSimulation simulation,
            Coverage coverage,
            String source,
            String destination,
            Loss loss) {

        void check() {
            simulation.send(source, destination, USUAL_BYTES, loss.links, end -> {
                assertThat(end.mostOnOneLink()).as("%s: %s", this, end).isLessThanOrEqualTo(2);
                assertThat(end.mostRepairs()).as("%s: %s", this, end).isLessThanOrEqualTo(1);
                if (!end.arrived() && coverage.promises(end, destination, loss.links)) {
                    assertThat(new Paths(without(network, loss.links)).distance(source, destination, Metric.IGP))
                            .as("covered, %s: %s", this, end)
                            .isEmpty();
                }
            });
        }

        @Override
        public String toString() {
            return name + ": " + source + " to " + destination + " without " + loss.what;
        }
    }

    /** Decides whether the repairs on a packet's path, or the missing ones, were to cover the failure. */
    private static final class Coverage {
        private final Network network;
        private final Map<String, NodeGuards> guards = new HashMap<>();

        Coverage(Network network) {
            this.network = network;
            ProtectionPlanner guarding = new ProtectionPlanner(new Underlay(network));
            network.nodes().values().forEach(node -> guards.put(node.name(), guarding.of(node)));
        }

        boolean promises(RepairSimulation.End end, String destination, Set<String> lost) {
            String repairing =
                    end.repairs().isEmpty() ? end.node() : end.repairs().get(0);
            Guard guard = guards.get(repairing).towards(destination).orElse(null);
            if (guard == null || !guard.covers().link()) {
                return false;
            }
            return guard.failure()
                    .filter(failure ->
                            isWithin(lost, failure) && (lost.size() == 2 || isWhole(repairing, failure, lost)))
                    .isPresent();
        }

        private boolean isWithin(Set<String> lost, Failure failure) {
            return network.links().stream()
                    .filter(link -> lost.contains(link.id()))
                    .allMatch(failure::hits);
        }

        /**
         * True if all links of the node that the failure hits are lost: a remaining one may be the path to another
         * loss.
         */
        private boolean isWhole(String node, Failure failure, Set<String> lost) {
            return network.linksFrom(node).stream().filter(failure::hits).allMatch(link -> lost.contains(link.id()));
        }
    }

    private static List<Loss> losses(Network network) {
        List<Loss> losses = new ArrayList<>();
        Set<Integer> groups = new TreeSet<>();
        List<Loss> single = new ArrayList<>();
        for (Link link : network.links()) {
            groups.addAll(link.srlgs());
            if (link.from().compareTo(link.to()) < 0) {
                single.add(new Loss(link.id(), Set.of(link.id(), link.to() + "-" + link.from())));
            }
        }
        losses.addAll(single);
        for (Node node : network.nodes().values()) {
            losses.add(new Loss(
                    node.name(),
                    lost(
                            network,
                            link -> link.from().node().equals(node.name())
                                    || link.to().node().equals(node.name()))));
        }
        for (int group : groups) {
            losses.add(
                    new Loss("risk " + group, lost(network, link -> link.srlgs().contains(group))));
        }
        for (int i = 0; i < single.size(); i++) {
            for (Loss other : single.subList(0, i)) {
                Set<String> both = new HashSet<>(single.get(i).links);
                both.addAll(other.links);
                losses.add(new Loss(single.get(i).what + " and " + other.what, both));
            }
        }
        return losses;
    }

    private static Set<String> lost(Network network, Predicate<Link> hit) {
        return network.links().stream().filter(hit).map(Link::id).collect(Collectors.toSet());
    }

    private static Network without(Network network, Set<String> lost) {
        return new Network(
                network.nodes().values(),
                network.links().stream()
                        .map(link -> link.withUp(!lost.contains(link.id())))
                        .toList(),
                List.of());
    }
}
