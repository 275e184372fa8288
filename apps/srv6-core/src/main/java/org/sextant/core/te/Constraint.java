// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.sextant.core.net.Link;
import org.sextant.core.net.Metric;

/**
 * One thing that a computed path must meet. Each can be left out alone, in the search for the constraints that prevent
 * a path.
 */
public sealed interface Constraint {

    /** True if a packet may be on the link. */
    default boolean allows(Link link) {
        return true;
    }

    /** In the words of a policy: {@code excludeAny red}. */
    String text();

    /** No link has this color. */
    record ExcludeAny(String color) implements Constraint {
        @Override
        public boolean allows(Link link) {
            return !link.affinities().contains(color);
        }

        @Override
        public String text() {
            return "excludeAny " + color;
        }
    }

    /** Each link has one of these colors at least. */
    record IncludeAny(Set<String> colors) implements Constraint {
        public IncludeAny {
            colors = Collections.unmodifiableSortedSet(new TreeSet<>(colors));
        }

        @Override
        public boolean allows(Link link) {
            return !Collections.disjoint(link.affinities(), colors);
        }

        @Override
        public String text() {
            return "includeAny " + String.join(", ", colors);
        }
    }

    /** Each link has this color. */
    record IncludeAll(String color) implements Constraint {
        @Override
        public boolean allows(Link link) {
            return link.affinities().contains(color);
        }

        @Override
        public String text() {
            return "includeAll " + color;
        }
    }

    /** No packet visits the node, not even as transit. */
    record ExcludeNode(String node) implements Constraint {
        @Override
        public boolean allows(Link link) {
            return !link.from().node().equals(node) && !link.to().node().equals(node);
        }

        @Override
        public String text() {
            return "exclude node " + node;
        }
    }

    /**
     * No packet is on the link, in either direction.
     *
     * @param link {@code p7-p6}, all links between the two, or with ports one of them: {@code p7/2-p6/3}
     */
    record ExcludeLink(String link) implements Constraint {
        @Override
        public boolean allows(Link other) {
            return !names(other.from(), other.to()) && !names(other.to(), other.from());
        }

        private boolean names(Link.End from, Link.End to) {
            return link.equals(from.node() + "-" + to.node()) || link.equals(from + "-" + to);
        }

        @Override
        public String text() {
            return "exclude link " + link;
        }
    }

    /** No link shares this risk. */
    record ExcludeSrlg(int group) implements Constraint {
        @Override
        public boolean allows(Link link) {
            return !link.srlgs().contains(group);
        }

        @Override
        public String text() {
            return "exclude srlg " + group;
        }
    }

    /**
     * The path shares no element with another one.
     *
     * @param from the owner of the other path, and the elements that must not be shared, in words
     * @param links undirected ids
     */
    record ApartFrom(String from, Set<String> links, Set<String> nodes, Set<Integer> srlgs) implements Constraint {
        public ApartFrom {
            links = Set.copyOf(links);
            nodes = Set.copyOf(nodes);
            srlgs = Set.copyOf(srlgs);
        }

        @Override
        public boolean allows(Link link) {
            return !links.contains(link.undirectedId())
                    && !nodes.contains(link.from().node())
                    && !nodes.contains(link.to().node())
                    && Collections.disjoint(link.srlgs(), srlgs);
        }

        @Override
        public String text() {
            return "disjoint from " + from;
        }
    }

    /**
     * Packets visit something, whichever of equally short paths they take; several of these in the order of their
     * positions, with anything between them (RFC 7896, 2).
     */
    sealed interface Stop extends Constraint {
        int position();

        /** True if it is this node. */
        default boolean at(String node) {
            return false;
        }

        /** True if it is this link, in this direction. */
        default boolean over(Link link) {
            return false;
        }
    }

    /** A node. */
    record IncludeNode(int position, String node) implements Stop {
        @Override
        public boolean at(String other) {
            return node.equals(other);
        }

        @Override
        public String text() {
            return "include node " + node;
        }
    }

    /** @param link as that of {@link ExcludeLink}, but in this direction */
    record IncludeLink(int position, String link) implements Stop {
        @Override
        public boolean over(Link other) {
            return link.equals(other.from().node() + "-" + other.to().node()) || link.equals(other.id());
        }

        @Override
        public String text() {
            return "include link " + link;
        }
    }

    /**
     * Each link has so much capacity left, in kbit/s. Links of unknown capacity are not used, as the rest of it is
     * unknown.
     *
     * @param lacking the ids of those that have less left, for one reason or another than their own capacity
     */
    record Bandwidth(long kbps, Set<String> lacking) implements Constraint {
        public Bandwidth {
            lacking = Set.copyOf(lacking);
            if (kbps < 1) {
                throw new IllegalArgumentException("a bandwidth is 1 kbit/s or more");
            }
        }

        @Override
        public boolean allows(Link link) {
            return link.capacityKbps() >= kbps && !lacking.contains(link.id());
        }

        @Override
        public String text() {
            return "bandwidth " + kbps + " kbit/s";
        }
    }

    /** No link of unknown delay: delays measured on the path must be known, whatever its metric. */
    record KnownDelay() implements Constraint {
        @Override
        public boolean allows(Link link) {
            return link.knownDelayMicros() > 0;
        }

        @Override
        public String text() {
            return "links of known delay only";
        }
    }

    /**
     * The path takes no more segments than its headend pushes: the Maximum H.Encaps MSD (RFC 9352, 4.3; RFC 8491). Segments are
     * containers, several where the nodes of a path have their SIDs in several blocks.
     *
     * @param endUsids how many uSIDs stand for the endpoint in the end, its own and those that decapsulate; they share a container
     */
    record SidDepth(String headend, int most, int endUsids) implements Constraint {
        public SidDepth {
            if (most < 1 || endUsids < 1) {
                throw new IllegalArgumentException("a SID depth is 1 or more, as are the uSIDs of an endpoint");
            }
        }

        @Override
        public String text() {
            return "maximum SID depth " + most + " of " + headend;
        }
    }

    /**
     * The sum over the path is no more than this, whichever of equally short paths a packet takes. For delays, links of
     * unknown delay are not used, as their share is unknown.
     */
    record Bound(Metric metric, long most) implements Constraint {
        public Bound {
            if (most < 1) {
                throw new IllegalArgumentException("a bound is 1 or more");
            }
        }

        @Override
        public boolean allows(Link link) {
            return metric != Metric.DELAY || link.knownDelayMicros() > 0;
        }

        @Override
        public String text() {
            return "at most " + Totals.text(metric, most);
        }
    }
}
