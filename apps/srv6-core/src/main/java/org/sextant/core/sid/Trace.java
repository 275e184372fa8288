// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.sextant.core.filter.Verdict;
import org.sextant.core.ip.Ipv6;

/**
 * The result of a walk.
 *
 * @param hops the path of the packet; of several equally short ones the first in the order of node names, or the
 *     first that fails
 * @param arrival where it was decapsulated; empty if some branch failed
 * @param failure why it does not arrive
 * @param nodes all nodes that some branch visits
 * @param links all links that some branch takes
 * @param branches the results for packets at the firewalls on the path, verdict by verdict
 */
public record Trace(
        List<Hop> hops,
        Optional<Arrival> arrival,
        Optional<Failure> failure,
        SortedSet<String> nodes,
        SortedSet<String> links,
        List<Branch> branches) {

    public Trace {
        hops = List.copyOf(hops);
        branches = List.copyOf(branches);
        nodes = Collections.unmodifiableSortedSet(new TreeSet<>(nodes));
        links = Collections.unmodifiableSortedSet(new TreeSet<>(links));
        if (arrival.isPresent() == failure.isPresent()) {
            throw new IllegalArgumentException("a packet either arrives or fails");
        }
    }

    public boolean arrives() {
        return failure.isEmpty();
    }

    /** The hops at which the packet could also go elsewhere. */
    public List<Hop> forks() {
        return hops.stream().filter(hop -> !hop.otherLinks().isEmpty()).toList();
    }

    /** The places where packets are decapsulated, over all verdicts of firewalls. */
    public List<Arrival> arrivals() {
        return Stream.concat(arrival.stream(), branches.stream().flatMap(branch -> branch.arrival().stream()))
                .distinct()
                .toList();
    }

    /**
     * The path of the packets that get the same verdict of a firewall.
     *
     * @param destinationAddress with which they come to the firewall
     * @param rules with this verdict, the first first
     * @param hops from the firewall on
     * @param arrival empty where they are dropped, or do not arrive
     */
    public record Branch(
            String node,
            Ipv6 destinationAddress,
            Verdict verdict,
            List<String> rules,
            List<Hop> hops,
            Optional<Arrival> arrival) {
        public Branch {
            Objects.requireNonNull(node);
            Objects.requireNonNull(destinationAddress);
            Objects.requireNonNull(verdict);
            rules = List.copyOf(rules);
            hops = List.copyOf(hops);
            Objects.requireNonNull(arrival);
        }

        public boolean drops() {
            return verdict == Verdict.DROP;
        }
    }

    /**
     * The processing at one node.
     *
     * @param behavior in RFC spelling: uN, uA, End, End.X, uDT6, H.Encaps.Red; {@code forward} for a node that only
     *     routes
     * @param arriving the outer header that arrived; at the headend the one it pushed
     * @param departing the outer header behind the node; empty where it was removed, or the packet ends
     * @param link taken from here; empty if the same node goes on with the packet, and where the packet ends
     * @param otherLinks equally good ones (ECMP)
     */
    public record Hop(
            String node,
            String behavior,
            Header arriving,
            Optional<Header> departing,
            Optional<String> link,
            List<String> otherLinks) {
        public Hop {
            Objects.requireNonNull(node);
            Objects.requireNonNull(behavior);
            Objects.requireNonNull(arriving);
            otherLinks = List.copyOf(otherLinks);
        }

        public Ipv6 destinationAddress() {
            return arriving.destination();
        }

        /** 0 without an SRH. */
        public int segmentsLeft() {
            return arriving.segmentsLeft();
        }

        /** The destination behind the node. */
        public Optional<Ipv6> leaving() {
            return departing.map(Header::destination);
        }
    }

    /**
     * The end of the SR path.
     *
     * @param vrf in which the inner packet is looked up; empty for a cross-connect, which leaves over its own adjacency
     * @param delivery where the inner packet leaves; empty if its destination was not given
     */
    public record Arrival(String node, String behavior, Optional<Integer> vrf, Optional<Fib.Adjacency> delivery) {}

    /** The reason why a packet does not arrive: the node, the class, and a sentence. */
    public record Failure(String node, Reason reason, String message) {}

    /** The classes of failures. */
    public enum Reason {
        /** No route to the destination address. */
        NO_ROUTE,
        /** The inner packet has no route behind the decapsulation. */
        NO_INNER_ROUTE,
        /** A behavior names a next hop that the node does not have. */
        NO_ADJACENCY,
        /** A binding SID names a segment list that the node does not have. */
        NO_SID_LIST,
        /** A SID of a firewall names rules that the node does not have. */
        NO_FIREWALL,
        /** The verdict of a firewall has no target: no atom is left. */
        NOWHERE_TO_GO,
        /** The verdict of a firewall is in the arguments of its SID, and these encode none. */
        UNKNOWN_ARGUMENTS,
        /** A rule of a firewall drops the packet; only of one that is {@linkplain Walk#follow followed}. */
        DROPPED,
        /** ICMPv6 Time Exceeded. */
        HOP_LIMIT,
        /** The packet comes back to where it was. */
        LOOP,
        /** Segments Left points behind the list (RFC 8986, 4.1, S09). */
        SEGMENTS_LEFT_BEYOND_LIST,
        /** A decapsulating SID with segments left (RFC 8986, 4.4 to 4.8). */
        SEGMENTS_LEFT_NOT_ZERO,
        /** A decapsulating SID for the other address family. */
        WRONG_INNER_FAMILY,
        /** uSIDs behind one that does not shift are lost. */
        ARGUMENT_NOT_ZERO,
        /** The end of the path does not find the arguments that were written. */
        ARGUMENTS_LOST,
        /** The path ends, but nothing removes the outer header. */
        NOT_DECAPSULATED
    }
}
