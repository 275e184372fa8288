// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sextant.core.protect.Wires.Arc;

/**
 * The backup paths of one node around one failure, to all destinations (TI-LFA, RFC 9855). The backup path to a
 * destination is a shortest path without the failed elements (the post-convergence path). The repair list that holds
 * packets to such a path has the fewest uSIDs, then the fewest pinned links, then the earliest release point. Between
 * two uSIDs, and behind the release point, packets follow the routes <em>before</em> the failure; none of all equally
 * short paths touches a failed element. Only the node itself leaves out its failed links: its kernel does the same.
 *
 * <p>A node that can release packets to a destination can release them to the node before it on the path. So the best
 * release point for the nodes before a destination is tried first, and is the best for it, too, if it is valid: most
 * destinations take one check. Else the nodes on the shortest paths to it are tried, which are some dozens; and where
 * no list of uSIDs holds packets to one of these paths (nodes without SIDs are on it), all nodes, once for all
 * destinations ({@link AnyNodeRepairs}).
 *
 * <p>Not safe for many threads.
 */
final class RepairPaths {
    private static final int NOBODY = -1;
    /**
     * A destination cannot be reached by present routes, as all links to it failed: a pinned link and its own uSID take
     * three.
     */
    private static final int LEAST_OWN = 3;

    private final Wires wires;
    private final int self;
    private final int dead;
    private final List<Arc> cut = new ArrayList<>();
    private final BitSet cutNumbers = new BitSet();
    private final long[] around;
    private final Places places;
    private final BitSet labelled;
    private final BitSet asked;
    private final BitSet surviving;
    private final BitSet known;
    private final @Nullable Label[] best;
    private @Nullable AnyNodeRepairs everywhere;

    RepairPaths(Wires wires, int self, Failure failure) {
        this.wires = wires;
        this.self = self;
        this.dead = failure.node().map(wires::place).orElse(NOBODY);
        for (Arc arc : wires.hit(failure)) {
            cutNumbers.set(arc.number());
            if (arc.from() != dead && arc.to() != dead) {
                cut.add(arc);
            }
        }
        this.around = new RestrictedSpf(wires, self, this::passable).distances();
        this.places = new Places(wires);
        this.labelled = new BitSet(wires.size());
        this.asked = new BitSet(wires.size());
        this.surviving = new BitSet(wires.size());
        this.known = new BitSet(wires.size());
        this.best = new Label[wires.size()];
    }

    /** The length of the backup path; {@link Wires#FAR} if the failure cuts the destination off. */
    long distance(int destination) {
        return around[destination];
    }

    /** Empty if there is no path, or none that uSIDs can express. */
    Optional<Repair> to(int destination) {
        if (around[destination] == Wires.FAR) {
            return Optional.empty();
        }
        Label label = shortest(destination);
        if (label != null) {
            return Optional.of(places.repair(label.place()));
        }
        if (everywhere == null) {
            everywhere = new AnyNodeRepairs(wires, self, this);
        }
        return everywhere.to(destination);
    }

    /** True if packets may be on a link once all has failed. */
    boolean passable(Arc arc) {
        return arc.from() != dead && arc.to() != dead && !cutNumbers.get(arc.number());
    }

    /** The best label; if the destination itself is the release point, its uSID is not written twice. */
    private @Nullable Label shortest(int destination) {
        Label label = best(destination);
        if (label == null || label.usids() < LEAST_OWN) {
            return label;
        }
        released(destination, shortestTo(destination));
        Label own = places.own(destination);
        return own != null && own.compareTo(label, destination) < 0 ? own : label;
    }

    private @Nullable Label best(int destination) {
        if (!known.get(destination)) {
            known.set(destination);
            best[destination] = findBest(destination);
        }
        return best[destination];
    }

    private @Nullable Label findBest(int destination) {
        Label nearer = null;
        for (Arc arc : wires.to(destination)) {
            Label label = arc.from() != self && onShortest(arc) ? best(arc.from()) : null;
            if (label != null && (nearer == null || label.compareAtRelease(nearer) < 0)) {
                nearer = label;
            }
        }
        Label candidate = nearer != null && releases(nearer, destination) ? nearer : null;
        if (candidate != null && candidate.usids() == 1) {
            return candidate;
        }
        int[] way = shortestTo(destination);
        Label direct = direct(destination, way);
        if (direct != null) {
            return direct;
        }
        return candidate != null
                        && (candidate.usids() < LEAST_OWN || candidate.usids() == LEAST_OWN && candidate.pins() == 1)
                ? candidate
                : released(destination, way);
    }

    /** True if packets that are released there reach the destination, by a shortest backup path. */
    private boolean releases(Label label, int destination) {
        int place = label.place();
        return place == destination
                || label.cost() + wires.distance(place, destination) == around[destination]
                        && avoids(place, destination);
    }

    /** The nearest release point on the path that the repairing node reaches by its routes. */
    private @Nullable Label direct(int destination, int[] way) {
        int first = NOBODY;
        for (int place : way) {
            boolean nearer =
                    first == NOBODY || around[place] < around[first] || around[place] == around[first] && place < first;
            if (nearer
                    && survives(place)
                    && (place == destination
                            || around[place] + wires.distance(place, destination) == around[destination]
                                    && avoids(place, destination))) {
                first = place;
            }
        }
        return first == NOBODY ? null : start(first);
    }

    private Label start(int place) {
        Label label = places.own(place);
        if (label == null) {
            label = Label.start(place, around[place]);
            places.offer(label);
        }
        return label;
    }

    private @Nullable Label released(int destination, int[] way) {
        List<Integer> nearestFirst = Arrays.stream(way)
                .boxed()
                .sorted(Comparator.comparingLong((Integer place) -> around[place])
                        .thenComparing(place -> place))
                .toList();
        for (int i = 0; i < nearestFirst.size(); i++) {
            int place = nearestFirst.get(i);
            if (!labelled.get(place)) {
                labelled.set(place);
                label(place, nearestFirst.subList(0, i));
            }
        }
        Label found = null;
        for (int place : nearestFirst) {
            Label label = places.own(place);
            if (label != null && (found == null || label.compareAtRelease(found) < 0) && releases(label, destination)) {
                found = label;
            }
        }
        return found;
    }

    /** The nodes on shortest backup paths, but the repairing one. */
    private int[] shortestTo(int destination) {
        BitSet seen = new BitSet(wires.size());
        int[] way = new int[wires.size()];
        int end = 0;
        way[end++] = destination;
        seen.set(destination);
        seen.set(self);
        for (int i = 0; i < end; i++) {
            for (Arc arc : wires.to(way[i])) {
                if (!seen.get(arc.from()) && onShortest(arc)) {
                    seen.set(arc.from());
                    way[end++] = arc.from();
                }
            }
        }
        return Arrays.copyOf(way, end);
    }

    private boolean onShortest(Arc arc) {
        return around[arc.from()] != Wires.FAR
                && around[arc.from()] + arc.metric() == around[arc.to()]
                && passable(arc);
    }

    /** @param nearer of which all is known */
    private void label(int place, List<Integer> nearer) {
        for (Arc arc : wires.to(place)) {
            if (onShortest(arc) && wires.hasSids(arc.from())) {
                if (arc.from() == self) {
                    places.offer(Label.first(arc));
                }
                places.at(arc.from()).forEach(label -> places.offer(label.over(arc)));
            }
        }
        if (survives(place)) {
            start(place);
        } else if (wires.hasSids(place)) {
            for (int from : nearer) {
                if (around[from] + wires.distance(from, place) == around[place] && avoids(from, place)) {
                    places.at(from).forEach(label -> places.offer(label.to(place, wires.distance(from, place))));
                }
            }
            places.pinned(place).ifPresent(label -> places.offer(label.to(place, 0)));
        }
    }

    /**
     * True if packets to the node's uSID avoid the failed elements, if the repairing node sends them by its routes
     * without its failed links.
     */
    boolean survives(int place) {
        if (!asked.get(place)) {
            asked.set(place);
            surviving.set(place, place != self && place != dead && wires.hasSids(place) && isReached(place));
        }
        return surviving.get(place);
    }

    private boolean isReached(int place) {
        boolean some = false;
        for (Arc arc : wires.from(self)) {
            if (wires.isShortest(arc, place) && passable(arc)) {
                if (arc.to() != place && !avoids(arc.to(), place)) {
                    return false;
                }
                some = true;
            }
        }
        return some;
    }

    /** True if no shortest path between two different nodes before the failure touches a failed element. */
    boolean avoids(int from, int to) {
        long length = wires.distance(from, to);
        if (length == Wires.FAR || from == dead || to == dead) {
            return false;
        }
        if (dead != NOBODY && through(from, dead, 0, dead, to) == length) {
            return false;
        }
        for (Arc arc : cut) {
            if (through(from, arc.from(), arc.metric(), arc.to(), to) == length) {
                return false;
            }
        }
        return true;
    }

    private long through(int from, int near, int metric, int far, int to) {
        long there = wires.distance(from, near);
        long rest = wires.distance(far, to);
        return there == Wires.FAR || rest == Wires.FAR ? Wires.FAR : there + metric + rest;
    }
}
