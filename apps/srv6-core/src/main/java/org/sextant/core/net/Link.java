// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * One direction of a link between two nodes.
 *
 * @param igpMetric shortest paths minimize its sum; at least 1
 * @param teMetric for traffic engineering; at least 1
 * @param delayMicros one-way delay as configured, 0 if unknown
 * @param mtuBytes largest IP packet, 0 if unknown
 * @param srlgs shared-risk link groups
 * @param affinities administrative groups ("colors")
 * @param up false while a port at either end is down
 * @param capacityKbps the reservable capacity of this direction, in kbit/s; 0 if unknown
 * @param measuredDelayMicros one-way delay as nodes measure it, damped ({@link AnnouncedDelay}); 0 if it is not measured
 */
public record Link(
        End from,
        End to,
        int igpMetric,
        int teMetric,
        long delayMicros,
        int mtuBytes,
        Set<Integer> srlgs,
        Set<String> affinities,
        boolean up,
        long capacityKbps,
        long measuredDelayMicros)
        implements Comparable<Link> {

    public Link {
        if (igpMetric < 1 || teMetric < 1) {
            throw new IllegalArgumentException("a link's metrics are 1 or more");
        }
        SortedSet<Integer> groups = new TreeSet<>(srlgs);
        srlgs = Collections.unmodifiableSortedSet(groups);
        SortedSet<String> colors = new TreeSet<>(affinities);
        affinities = Collections.unmodifiableSortedSet(colors);
        if (capacityKbps < 0) {
            throw new IllegalArgumentException("a link's capacity is 0 or more");
        }
        if (measuredDelayMicros < 0) {
            throw new IllegalArgumentException("a link's delay is 0 or more");
        }
    }

    /** A link of unknown capacity. */
    public Link(
            End from,
            End to,
            int igpMetric,
            int teMetric,
            long delayMicros,
            int mtuBytes,
            Set<Integer> srlgs,
            Set<String> affinities,
            boolean up) {
        this(from, to, igpMetric, teMetric, delayMicros, mtuBytes, srlgs, affinities, up, 0, 0);
    }

    /** A link without a measured delay. */
    public Link(
            End from,
            End to,
            int igpMetric,
            int teMetric,
            long delayMicros,
            int mtuBytes,
            Set<Integer> srlgs,
            Set<String> affinities,
            boolean up,
            long capacityKbps) {
        this(from, to, igpMetric, teMetric, delayMicros, mtuBytes, srlgs, affinities, up, capacityKbps, 0);
    }

    /** A port of a node. */
    public record End(String node, int port) implements Comparable<End> {
        @Override
        public int compareTo(End other) {
            int order = node.compareTo(other.node);
            return order != 0 ? order : Integer.compare(port, other.port);
        }

        @Override
        public String toString() {
            return node + "/" + port;
        }
    }

    /** The same link with another state. */
    public Link withUp(boolean state) {
        return new Link(
                from,
                to,
                igpMetric,
                teMetric,
                delayMicros,
                mtuBytes,
                srlgs,
                affinities,
                state,
                capacityKbps,
                measuredDelayMicros);
    }

    /** The same link with another MTU. */
    public Link withMtuBytes(int bytes) {
        return new Link(
                from,
                to,
                igpMetric,
                teMetric,
                delayMicros,
                bytes,
                srlgs,
                affinities,
                up,
                capacityKbps,
                measuredDelayMicros);
    }

    /** The same link with another capacity. */
    public Link withCapacityKbps(long kbps) {
        return new Link(
                from, to, igpMetric, teMetric, delayMicros, mtuBytes, srlgs, affinities, up, kbps, measuredDelayMicros);
    }

    /** The same link with another measured delay; 0 for none. */
    public Link withMeasuredDelayMicros(long micros) {
        return new Link(
                from, to, igpMetric, teMetric, delayMicros, mtuBytes, srlgs, affinities, up, capacityKbps, micros);
    }

    /** The effective one-way delay: the measured one, else the configured one; 0 if neither is known. */
    public long knownDelayMicros() {
        return measuredDelayMicros > 0 ? measuredDelayMicros : delayMicros;
    }

    /** For example {@code l1/1-l2/1}. */
    public String id() {
        return from + "-" + to;
    }

    /** The same for both directions, which fail together: the id of the one that is first in order. */
    public String undirectedId() {
        return from.compareTo(to) <= 0 ? id() : to + "-" + from;
    }

    @Override
    public int compareTo(Link other) {
        int order = from.compareTo(other.from);
        return order != 0 ? order : to.compareTo(other.to);
    }
}
