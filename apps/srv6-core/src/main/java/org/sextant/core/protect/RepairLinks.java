// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;
import org.sextant.core.net.Paths;
import org.sextant.core.te.Step;

/**
 * The links that packets may be on from the node that repairs to their destination, by the routes before the controller
 * reacts to the failure: of equally short paths all of them.
 */
public final class RepairLinks {
    private final Paths paths;
    private final String self;
    private final Failure failure;
    private final SortedMap<String, Link> links = new TreeMap<>();

    private RepairLinks(Paths paths, String self, Failure failure) {
        this.paths = paths;
        this.self = self;
        this.failure = failure;
    }

    /** The links by their ids. */
    public static Collection<Link> of(Paths paths, String self, Failure failure, Repair repair, String destination) {
        RepairLinks way = new RepairLinks(paths, self, failure);
        String at = self;
        for (Step step : repair.steps()) {
            if (step instanceof Step.OverLink over) {
                way.add(at, over.link().from().node());
                way.links.put(over.link().id(), over.link());
            } else {
                way.add(at, step.node());
            }
            at = step.node();
        }
        way.add(at, destination);
        return way.links.values();
    }

    /** The largest packet that fits all of them with so many bytes in front of it; empty if no MTU is known. */
    public static OptionalInt room(Collection<Link> links, int bytes) {
        OptionalInt smallest =
                links.stream().mapToInt(Link::mtuBytes).filter(mtu -> mtu > 0).min();
        return smallest.isPresent() ? OptionalInt.of(smallest.getAsInt() - bytes) : smallest;
    }

    private void add(String from, String to) {
        Set<String> seen = new HashSet<>();
        Deque<String> open = new ArrayDeque<>();
        open.add(from);
        while (!open.isEmpty()) {
            String node = open.remove();
            for (Link link : seen.add(node) ? paths.nextHops(node, to, Metric.IGP) : List.<Link>of()) {
                // The node itself avoids its failed links; packets of the repair meet no other failed link.
                if (!node.equals(self) || !failure.hits(link)) {
                    links.put(link.id(), link);
                    open.add(link.to().node());
                }
            }
        }
    }
}
