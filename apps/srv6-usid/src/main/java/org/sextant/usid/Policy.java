// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.sextant.kit.Endpoint;
import org.sextant.kit.Family;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.Waypoint;

/**
 * What an operator asks for: some traffic takes some path. An immutable value; nothing in it was looked up in a
 * network.
 *
 * @param name becomes the policy's id; without one the id is derived from the content
 * @param family restricts the policy to one address family; else it steers every family that both ends have
 * @param reduced H.Encaps.Red (RFC 8986, 5.2), else H.Encaps
 */
public record Policy(Optional<String> name, Path path, Decap decap, Optional<Family> family, boolean reduced) {

    public Policy {
        Objects.requireNonNull(path);
        Objects.requireNonNull(decap);
        name.ifPresent(Policy::checkName);
    }

    static void checkName(String name) {
        if (!name.matches("[A-Za-z][A-Za-z0-9._-]{0,62}")) {
            throw new IllegalArgumentException("\"" + name + "\" is not a name");
        }
    }

    /** One of the three forms. */
    public sealed interface Path permits Between, Explicit, Candidates {}

    /** Of the forms that name one. */
    public Optional<Waypoint> headend() {
        if (path instanceof Explicit explicit) {
            return Optional.of(explicit.headend());
        }
        return path instanceof Candidates candidates ? Optional.of(candidates.headend()) : Optional.empty();
    }

    /** What the forms with a headend steer; nothing of the paper's form, which has ends. */
    public List<Endpoint> steering() {
        if (path instanceof Explicit explicit) {
            return explicit.steering();
        }
        return path instanceof Candidates candidates ? candidates.steering() : List.of();
    }

    /** All lists of hops that somebody has written down; none of the paper's form. */
    public List<WeightedHops> lists() {
        if (path instanceof Explicit explicit) {
            return explicit.lists();
        }
        return path instanceof Candidates candidates
                ? candidates.paths().stream()
                        .filter(one -> one.choice() instanceof Candidate.Explicit)
                        .flatMap(one -> ((Candidate.Explicit) one.choice()).lists().stream())
                        .toList()
                : List.of();
    }

    /**
     * The uSID paper's form: the nodes to visit between two ends (VI-C). The first is the headend and the last the
     * egress; each pair of neighbours in the list must be able to reach each other but need not share a link.
     *
     * @param firewalls each at one of the nodes; packets go through them there, on the way back as on the way there
     */
    public record Between(Endpoint from, Endpoint to, List<Waypoint> nodes, Return back, List<Hop.Firewall> firewalls)
            implements Path {
        public Between(Endpoint from, Endpoint to, List<Waypoint> nodes, Return back) {
            this(from, to, nodes, back, List.of());
        }

        public Between {
            nodes = List.copyOf(nodes);
            firewalls = List.copyOf(firewalls);
            if (nodes.size() < 2) {
                throw new IllegalArgumentException("a path has a headend and an egress");
            }
        }
    }

    /** How packets come back. {@code nodes} is empty unless asymmetric. */
    public record Return(Symmetry symmetry, List<Waypoint> nodes) {
        public static final Return SYMMETRIC = new Return(Symmetry.SYMMETRIC, List.of());
        public static final Return ONE_WAY = new Return(Symmetry.ONE_WAY, List.of());

        public Return {
            nodes = List.copyOf(nodes);
            if (symmetry == Symmetry.ASYMMETRIC ? nodes.size() < 2 : !nodes.isEmpty()) {
                throw new IllegalArgumentException(
                        "an asymmetric policy, and no other, lists the nodes of the way back");
            }
        }
    }

    /** Which way packets take back. */
    public enum Symmetry {
        /** The same nodes in reverse. */
        SYMMETRIC("symmetric"),
        /** Nodes of its own. */
        ASYMMETRIC("asymmetric"),
        /** None: this policy says nothing about the way back. */
        ONE_WAY("one-way");

        private final String spelling;

        Symmetry(String spelling) {
            this.spelling = spelling;
        }

        /** As JSON and CLI write it. */
        public String spelling() {
            return spelling;
        }
    }

    /**
     * The general form: what enters at the headend towards {@code steering} takes one of the weighted lists.
     *
     * @param egress where the path ends; empty: at the last hop
     */
    public record Explicit(
            Waypoint headend, List<WeightedHops> lists, Optional<Waypoint> egress, List<Endpoint> steering)
            implements Path {
        public Explicit {
            lists = List.copyOf(lists);
            steering = List.copyOf(steering);
            if (lists.isEmpty() || steering.isEmpty()) {
                throw new IllegalArgumentException("a policy has a list of hops and something to steer");
            }
        }
    }

    /**
     * RFC 9256's form: of several candidate paths from the headend to the endpoint the best that is valid is taken.
     *
     * @param paths as they were given
     */
    public record Candidates(Waypoint headend, Waypoint endpoint, List<Candidate> paths, List<Endpoint> steering)
            implements Path {
        public Candidates {
            paths = List.copyOf(paths);
            steering = List.copyOf(steering);
            if (paths.isEmpty() || steering.isEmpty()) {
                throw new IllegalArgumentException("a policy has a candidate path and something to steer");
            }
        }
    }

    /** One way of several; the headend shares flows among them by weight. */
    public record WeightedHops(int weight, List<Hop> hops) {
        public WeightedHops {
            hops = List.copyOf(hops);
            if (weight < 1 || weight > 255 || hops.isEmpty()) {
                throw new IllegalArgumentException("a list of hops has at least one hop and a weight from 1 to 255");
            }
        }
    }
}
