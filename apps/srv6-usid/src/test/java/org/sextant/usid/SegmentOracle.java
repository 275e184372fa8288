// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Paths;
import org.sextant.core.sid.Atom;
import org.sextant.core.sid.Packing;
import org.sextant.core.underlay.SidPlan;

/**
 * Enumerates every list of segments from one node to another without repetitions. A list consists of nodes with SIDs,
 * and of links of nodes with SIDs to any node; between two segments all shortest paths of the underlay must be allowed.
 *
 * @param allowed true if packets may use a link
 * @param depth the number of containers that the headend pushes
 */
record SegmentOracle(Network network, Metric metric, Predicate<Link> allowed, Map<Metric, Long> bounds, int depth) {

    /** The least sum of the metric, and the fewest containers that encode such a path. */
    record Best(long sum, int containers) {}

    /** The sums of all metrics by their ordinals, the worst of equally short paths. */
    private static final long[] NOTHING = new long[Metric.values().length];

    Optional<Best> best(String from, String to) {
        Search search = new Search(this, new Paths(network), to, new ArrayList<>(), new HashSet<>());
        search.extend(from, true, NOTHING);
        return search.found.stream().min(Comparator.comparingLong(Best::sum).thenComparingInt(Best::containers));
    }

    /** A node's uSID, with that of a pinned link behind it, if any. */
    private record Segment(String node, Optional<Link> link) {}

    private static final class Search {
        private final SegmentOracle oracle;
        private final Paths paths;
        private final String to;
        private final List<Segment> segments;
        private final Set<String> places;
        private final List<Best> found = new ArrayList<>();

        Search(SegmentOracle oracle, Paths paths, String to, List<Segment> segments, Set<String> places) {
            this.oracle = oracle;
            this.paths = paths;
            this.to = to;
            this.segments = segments;
            this.places = places;
        }

        void extend(String at, boolean own, long[] sums) {
            if (own && at.equals(to) && !segments.isEmpty()) {
                int containers = Packing.pack(atoms()).size();
                if (containers <= oracle.depth) {
                    found.add(new Best(sums[oracle.metric.ordinal()], containers));
                }
                return;
            }
            for (String node : oracle.network.nodes().keySet()) {
                if (oracle.sids(node).isPresent() && !(own && node.equals(at))) {
                    oracle.worst(paths, at, node)
                            .ifPresent(on -> go(new Segment(node, Optional.empty()), node, true, plus(sums, on)));
                }
            }
            if (!segments.isEmpty() && oracle.sids(at).isPresent()) {
                for (Link link : oracle.network.linksFrom(at)) {
                    if (link.up() && oracle.allowed.test(link)) {
                        go(new Segment(at, Optional.of(link)), link.to().node(), false, plus(sums, sums(link)));
                    }
                }
            }
        }

        private void go(Segment segment, String node, boolean own, long[] sums) {
            boolean within = oracle.bounds.entrySet().stream()
                    .allMatch(bound -> sums[bound.getKey().ordinal()] <= bound.getValue());
            if (within && places.add(node + own)) {
                segments.add(segment);
                extend(node, own, sums);
                segments.remove(segments.size() - 1);
                places.remove(node + own);
            }
        }

        /** A pinned link joins the uSID of its node, and the end the uSIDs that decapsulate. */
        private List<Atom> atoms() {
            List<Atom> atoms = new ArrayList<>();
            for (int i = 0; i < segments.size(); i++) {
                Segment segment = segments.get(i);
                SidPlan sids = oracle.sids(segment.node()).orElseThrow();
                boolean last = i + 1 == segments.size();
                boolean joined = !last
                        && segment.link().isEmpty()
                        && segments.get(i + 1).link().isPresent()
                        && segments.get(i + 1).node().equals(segment.node());
                if (last) {
                    atoms.add(Atom.Compressed.of(sids.srv6().block(), sids.format(), sids.usid(), sids.uaUsid(1)));
                } else if (segment.link().isPresent()) {
                    int port = segment.link().get().from().port();
                    atoms.add(Atom.Compressed.of(sids.srv6().block(), sids.format(), sids.usid(), sids.uaUsid(port)));
                } else if (!joined) {
                    atoms.add(Atom.Compressed.of(sids.srv6().block(), sids.format(), sids.usid()));
                }
            }
            return atoms;
        }
    }

    private Optional<SidPlan> sids(String node) {
        return network.node(node).flatMap((Node one) -> SidPlan.of(one));
    }

    private Optional<long[]> worst(Paths paths, String from, String to) {
        if (from.equals(to)) {
            return Optional.of(NOTHING);
        }
        List<Link> next = paths.nextHops(from, to, Metric.IGP);
        long[] worst = NOTHING;
        for (Link link : next) {
            Optional<long[]> rest = allowed.test(link) ? worst(paths, link.to().node(), to) : Optional.empty();
            if (rest.isEmpty()) {
                return Optional.empty();
            }
            long[] sum = plus(sums(link), rest.get());
            long[] more = new long[sum.length];
            for (int i = 0; i < sum.length; i++) {
                more[i] = Math.max(sum[i], worst[i]);
            }
            worst = more;
        }
        return next.isEmpty() ? Optional.empty() : Optional.of(worst);
    }

    private static long[] sums(Link link) {
        long[] sums = new long[Metric.values().length];
        for (Metric metric : Metric.values()) {
            sums[metric.ordinal()] = metric.of(link);
        }
        return sums;
    }

    private static long[] plus(long[] some, long[] more) {
        long[] sum = new long[some.length];
        for (int i = 0; i < sum.length; i++) {
            sum[i] = some[i] + more[i];
        }
        return sum;
    }
}
