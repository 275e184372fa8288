// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.sextant.core.net.Metric;
import org.sextant.core.te.Constraint.IncludeNode;
import org.sextant.core.te.Constraint.Stop;
import org.sextant.core.te.IndexedGraph.Hop;

/**
 * The stops of a path, in order, in the view of one search: a stage is the number of stops that are behind packets.
 * Where packets may take several paths, the lowest stage counts: a path that is valid from a lower stage is valid from
 * a higher one, too.
 */
final class Stops {
    private final IndexedGraph terrain;
    private final Regions.Ground ground;
    private final Region end;
    private final List<Stop> stops;
    private final List<List<Gate>> gates = new ArrayList<>();
    private final Map<Need, Long> needs = new HashMap<>();
    private final Map<Ride, Integer> rides = new HashMap<>();

    /** A path through a stop, from the node where packets arrive to the one where they leave it. */
    private record Gate(Region in, int out, Totals cost) {}

    private record Need(Metric metric, int node, int stage) {}

    private record Ride(int from, int to, int stage) {}

    Stops(IndexedGraph terrain, Regions.Ground ground, Goal goal, int to) {
        this.terrain = terrain;
        this.ground = ground;
        this.end = ground.around(to);
        this.stops = goal.stops();
        stops.forEach(stop -> gates.add(gates(stop)));
    }

    private List<Gate> gates(Stop stop) {
        if (stop instanceof IncludeNode one) {
            return terrain.number(one.node()).stream()
                    .mapToObj(node -> new Gate(ground.around(node), node, Totals.NONE))
                    .toList();
        }
        return terrain.hops().stream()
                .filter(hop -> stop.over(hop.link()) && ground.allows(hop))
                .map(hop -> new Gate(ground.around(hop.from()), hop.to(), hop.totals()))
                .toList();
    }

    /** The number of stops: the stage at which all are visited. */
    int count() {
        return stops.size();
    }

    /** The stage of packets that come to a node. */
    int at(int node, int stage) {
        int next = stage;
        while (next < stops.size() && stops.get(next).at(terrain.name(node))) {
            next++;
        }
        return next;
    }

    /** The stage of packets that have come over a link. */
    int over(Hop hop, int stage) {
        boolean visits = stage < stops.size() && stops.get(stage).over(hop.link());
        return at(hop.to(), visits ? stage + 1 : stage);
    }

    /**
     * The stage at a node to which the underlay takes packets, over all equally short paths; all of these must be
     * allowed.
     */
    int after(int from, int to, int stage) {
        return stage == stops.size() ? stage : rides.computeIfAbsent(new Ride(from, to, stage), this::worst);
    }

    private int worst(Ride ride) {
        Region region = ground.around(ride.to());
        Map<Integer, Integer> stages = new HashMap<>(Map.of(ride.from(), ride.stage()));
        PriorityQueue<Integer> farthestFirst =
                new PriorityQueue<>(Comparator.comparingLong(region::underlay).reversed());
        farthestFirst.add(ride.from());
        while (!farthestFirst.isEmpty()) {
            int node = farthestFirst.remove();
            int stage = stages.getOrDefault(node, ride.stage());
            for (Hop hop : region.next(node)) {
                if (!stages.containsKey(hop.to())) {
                    farthestFirst.add(hop.to());
                }
                stages.merge(hop.to(), over(hop, stage), Math::min);
            }
        }
        return stages.getOrDefault(ride.to(), ride.stage());
    }

    /**
     * The least sum from a node through all stops that are not visited yet; {@link Region#UNREACHABLE} without such a
     * path.
     */
    long left(Metric metric, int node, int stage) {
        if (stage == stops.size()) {
            return end.least(metric)[node];
        }
        long least = Region.UNREACHABLE;
        for (Gate gate : gates.get(stage)) {
            long to = gate.in().least(metric)[node];
            long on = to == Region.UNREACHABLE ? to : onward(metric, gate.out(), at(gate.out(), stage + 1));
            if (on != Region.UNREACHABLE) {
                least = Math.min(least, to + gate.cost().of(metric) + on);
            }
        }
        return least;
    }

    /** Few places are queried repeatedly. */
    private long onward(Metric metric, int node, int stage) {
        Need need = new Need(metric, node, stage);
        Long known = needs.get(need);
        if (known == null) {
            known = left(metric, node, stage);
            needs.put(need, known);
        }
        return known;
    }
}
