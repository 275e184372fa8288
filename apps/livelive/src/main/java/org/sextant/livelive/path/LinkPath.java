// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.path;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.sextant.core.net.Link;

/** A path through the network, link by link; the first link begins at the ingress and the last ends at the egress. */
public record LinkPath(List<Link> links) implements Comparable<LinkPath> {
    private static final Comparator<LinkPath> ORDER = Comparator.comparingLong(LinkPath::metric)
            .thenComparing(path -> path.links().size())
            .thenComparing(LinkPath::text);

    /** @throws IllegalArgumentException if a link does not begin where the one before it ends */
    public LinkPath {
        links = List.copyOf(links);
        if (links.isEmpty()) {
            throw new IllegalArgumentException("a path has at least one link");
        }
        for (int i = 1; i < links.size(); i++) {
            if (!links.get(i).from().node().equals(links.get(i - 1).to().node())) {
                throw new IllegalArgumentException("link " + links.get(i).id() + " does not begin where "
                        + links.get(i - 1).id() + " ends");
            }
        }
    }

    /** The names of the nodes, both ends included. */
    public List<String> nodes() {
        List<String> nodes = new ArrayList<>(List.of(links.get(0).from().node()));
        links.forEach(link -> nodes.add(link.to().node()));
        return nodes;
    }

    /** The nodes between the ends. */
    public List<String> interior() {
        List<String> nodes = nodes();
        return nodes.subList(1, nodes.size() - 1);
    }

    /** The sum of IGP metrics. */
    public long metric() {
        return links.stream().mapToLong(Link::igpMetric).sum();
    }

    /** The sum of one-way delays in microseconds; links of unknown delay add nothing. */
    public long delayMicros() {
        return links.stream().mapToLong(Link::knownDelayMicros).sum();
    }

    /** Is true if the delay of every link is known. */
    public boolean delayKnown() {
        return links.stream().allMatch(link -> link.knownDelayMicros() > 0);
    }

    /** All shared-risk link groups of the path. */
    public SortedSet<Integer> srlgs() {
        SortedSet<Integer> groups = new TreeSet<>();
        links.forEach(link -> groups.addAll(link.srlgs()));
        return groups;
    }

    private String text() {
        return String.join(" ", links.stream().map(Link::id).toList());
    }

    /** Orders by length; the ids of links break ties. */
    @Override
    public int compareTo(LinkPath other) {
        return ORDER.compare(this, other);
    }
}
