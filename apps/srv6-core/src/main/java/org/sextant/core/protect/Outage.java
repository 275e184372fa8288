// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Paths;
import org.sextant.core.underlay.Underlay;

/**
 * The fate of packets right after a link or a node is lost, before the controller reacts: the nodes that reroute them,
 * with their repair lists, and the packets that are dropped. Pure; for one thread.
 */
public final class Outage {

    /** The fates of packets, the better first. */
    public enum Fate {
        UNTOUCHED,
        EQUAL_LINKS,
        REPAIRED,
        DROPPED,
        /** No path is left: the controller cannot help either. */
        CUT_OFF
    }

    /**
     * The action of a node next to the failure for packets to a destination that it sent over the failed element.
     *
     * @param guard its protection; empty if it requests none
     * @param links those that a repaired packet may be on
     * @param before distance of the destination, by IGP metric
     * @param after its distance once the network has converged; empty if there is no path
     */
    public record Move(
            String node,
            String destination,
            Fate fate,
            Optional<Guard> guard,
            Collection<Link> links,
            long before,
            OptionalLong after) {}

    private final Network network;
    private final Paths paths;
    private final Network without;
    private final Paths later;
    private final ProtectionPlanner guarding;
    private final Predicate<String> keepsRepairs;
    private final Optional<String> lostNode;
    private final SortedSet<String> lost;
    private final Map<String, NodeGuards> guards = new HashMap<>();
    private final Map<String, Map<String, Move>> moves = new TreeMap<>();

    /**
     * @param keepsRepairs true for nodes whose data plane does
     * @param failed the name of a node or the id of a link of the network, in either direction
     */
    public Outage(Underlay underlay, Predicate<String> keepsRepairs, String failed) {
        this.network = underlay.network();
        this.paths = underlay.paths();
        this.guarding = new ProtectionPlanner(underlay);
        this.keepsRepairs = keepsRepairs;
        this.lostNode = network.node(failed).map(Node::name);
        this.lost = Collections.unmodifiableSortedSet(lost(network, failed));
        this.without = network.withLinks(network.links().stream()
                .map(link -> link.withUp(link.up() && !lost.contains(link.id())))
                .toList());
        this.later = new Paths(without);
        for (Link link : network.links()) {
            String node = link.from().node();
            if (link.up() && lost.contains(link.id()) && !isLost(node)) {
                moves.computeIfAbsent(node, this::movesOf);
            }
        }
    }

    /** True if the network has a node or a link of that name. */
    public static boolean knows(Network network, String failed) {
        return network.node(failed).isPresent() || network.links().stream().anyMatch(link -> isOrReturns(link, failed));
    }

    private static boolean isOrReturns(Link link, String id) {
        return link.id().equals(id) || id.equals(link.to() + "-" + link.from());
    }

    private static SortedSet<String> lost(Network network, String failed) {
        boolean node = network.node(failed).isPresent();
        return network.links().stream()
                .filter(link -> node
                        ? link.from().node().equals(failed) || link.to().node().equals(failed)
                        : isOrReturns(link, failed))
                .map(Link::id)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The network after convergence. */
    public Network without() {
        return without;
    }

    /** Ids of the links that carry nothing any more. */
    public SortedSet<String> lost() {
        return lost;
    }

    private boolean isLost(String node) {
        return lostNode.filter(node::equals).isPresent();
    }

    /** The moves by node and destination. */
    public List<Move> moves() {
        return moves.values().stream()
                .flatMap(ofNode -> ofNode.values().stream())
                .toList();
    }

    /** The action of a node for packets to a destination; empty if it does not send them to the failed element. */
    public Optional<Move> move(String node, String destination) {
        return Optional.ofNullable(moves.getOrDefault(node, Map.of()).get(destination));
    }

    private Map<String, Move> movesOf(String node) {
        Map<String, Move> found = new TreeMap<>();
        for (Node destination : network.nodes().values()) {
            List<Link> next = paths.nextHops(node, destination.name(), Metric.IGP);
            if (destination.srv6().isPresent() && next.stream().anyMatch(link -> lost.contains(link.id()))) {
                boolean other = next.stream().anyMatch(link -> !lost.contains(link.id()));
                found.put(destination.name(), move(node, destination.name(), other));
            }
        }
        return found;
    }

    private Move move(String node, String destination, boolean other) {
        Optional<Guard> guard = guards.computeIfAbsent(
                        node, name -> guarding.of(network.node(name).orElseThrow()))
                .towards(destination);
        Collection<Link> links = keepsRepairs.test(node) ? repaired(node, destination, guard) : List.of();
        OptionalLong after = isLost(destination) ? OptionalLong.empty() : later.distance(node, destination, Metric.IGP);
        Fate fate;
        if (after.isEmpty()) {
            fate = Fate.CUT_OFF;
        } else if (other) {
            fate = Fate.EQUAL_LINKS;
        } else {
            boolean holds = !links.isEmpty() && links.stream().noneMatch(link -> lost.contains(link.id()));
            fate = holds ? Fate.REPAIRED : Fate.DROPPED;
        }
        long before = paths.distance(node, destination, Metric.IGP).orElseThrow();
        return new Move(node, destination, fate, guard, fate == Fate.REPAIRED ? links : List.of(), before, after);
    }

    private Collection<Link> repaired(String node, String destination, Optional<Guard> guard) {
        @Nullable Guard known = guard.orElse(null);
        return known == null || known.repair().isEmpty()
                ? List.of()
                : RepairLinks.of(
                        paths,
                        node,
                        known.failure().orElseThrow(),
                        known.repair().get(),
                        destination);
    }

    /** The number of ordered pairs of nodes, without the failed one, by the worst fate of their packets. */
    public Map<Fate, Integer> pairs() {
        Map<Fate, Integer> count = new TreeMap<>();
        for (Fate fate : Fate.values()) {
            count.put(fate, 0);
        }
        for (Node destination : network.nodes().values()) {
            if (destination.srv6().isPresent() && !isLost(destination.name())) {
                Map<String, Fate> fates = new HashMap<>();
                for (Node source : network.nodes().values()) {
                    if (!source.equals(destination)
                            && !isLost(source.name())
                            && paths.distance(source.name(), destination.name(), Metric.IGP)
                                    .isPresent()) {
                        count.merge(fate(source.name(), destination.name(), fates), 1, Integer::sum);
                    }
                }
            }
        }
        return count;
    }

    private Fate fate(String node, String destination, Map<String, Fate> known) {
        Fate fate = known.get(node);
        if (fate == null) {
            fate = later.distance(node, destination, Metric.IGP).isEmpty()
                    ? Fate.CUT_OFF
                    : onTheWay(node, destination, known);
            known.put(node, fate);
        }
        return fate;
    }

    private Fate onTheWay(String node, String destination, Map<String, Fate> known) {
        List<Fate> fates = new ArrayList<>(List.of(Fate.UNTOUCHED));
        move(node, destination).ifPresent(move -> fates.add(move.fate()));
        for (Link link : paths.nextHops(node, destination, Metric.IGP)) {
            if (!lost.contains(link.id()) && !link.to().node().equals(destination)) {
                fates.add(fate(link.to().node(), destination, known));
            }
        }
        return Collections.max(fates);
    }
}
