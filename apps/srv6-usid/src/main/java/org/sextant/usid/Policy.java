// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.sextant.core.intent.Standing;
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

    /** The flows that they steer besides. */
    public List<SteeredFlow> flows() {
        if (path instanceof Explicit explicit) {
            return explicit.flows();
        }
        return path instanceof Candidates candidates ? candidates.flows() : List.of();
    }

    /** What those of the other forms are, too. */
    public Terms terms() {
        return path instanceof Candidates candidates ? candidates.terms() : Terms.DEFAULT;
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

    /** How it stands among those that reserve bandwidth, if a computed path of it does: all that do say the same. */
    public Optional<Standing> standing() {
        return path instanceof Candidates candidates
                ? candidates.paths().stream()
                        .filter(one -> one.choice() instanceof Candidate.Dynamic)
                        .flatMap(one -> ((Candidate.Dynamic) one.choice()).demand().stream())
                        .map(Candidate.Demand::standing)
                        .findFirst()
                : Optional.empty();
    }

    /** What composite paths of it are composed of. */
    public List<Candidate.Constituent> constituents() {
        return path instanceof Candidates candidates
                ? candidates.paths().stream()
                        .filter(one -> one.choice() instanceof Candidate.Composite)
                        .flatMap(one -> ((Candidate.Composite) one.choice()).of().stream())
                        .toList()
                : List.of();
    }

    /** The policies that computed paths of it keep away from. */
    public List<Candidate.Apart> apart() {
        return path instanceof Candidates candidates
                ? candidates.paths().stream()
                        .filter(one -> one.choice() instanceof Candidate.Dynamic)
                        .flatMap(one -> ((Candidate.Dynamic) one.choice()).disjointFrom().stream())
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
     * @param bound what comes with a binding SID takes it, too, and nothing else need do so
     * @param flows what it steers besides
     * @param gathered the lists are those of several policies, of which some may be the same
     */
    public record Explicit(
            Waypoint headend,
            List<WeightedHops> lists,
            Optional<Waypoint> egress,
            List<Endpoint> steering,
            boolean bound,
            List<SteeredFlow> flows,
            boolean gathered)
            implements Path {
        public Explicit(
                Waypoint headend, List<WeightedHops> lists, Optional<Waypoint> egress, List<Endpoint> steering) {
            this(headend, lists, egress, steering, false, List.of(), false);
        }

        public Explicit {
            lists = List.copyOf(lists);
            steering = List.copyOf(steering);
            flows = List.copyOf(flows);
            if (lists.isEmpty() || steering.isEmpty() && flows.isEmpty() && !bound) {
                throw new IllegalArgumentException("a policy has a list of hops and something to steer");
            }
        }
    }

    /**
     * RFC 9256's form: of several candidate paths from the headend to the endpoint the best that is valid is taken.
     *
     * @param paths as they were given
     * @param flows what it steers besides
     */
    public record Candidates(
            Waypoint headend,
            Waypoint endpoint,
            Terms terms,
            List<Candidate> paths,
            List<Endpoint> steering,
            List<SteeredFlow> flows)
            implements Path {
        public Candidates(Waypoint headend, Waypoint endpoint, List<Candidate> paths, List<Endpoint> steering) {
            this(headend, endpoint, Terms.DEFAULT, paths, steering);
        }

        public Candidates(
                Waypoint headend, Waypoint endpoint, Terms terms, List<Candidate> paths, List<Endpoint> steering) {
            this(headend, endpoint, terms, paths, steering, List.of());
        }

        public Candidates {
            Objects.requireNonNull(terms);
            paths = List.copyOf(paths);
            steering = List.copyOf(steering);
            flows = List.copyOf(flows);
            if (paths.isEmpty()
                    || steering.isEmpty() && flows.isEmpty() && terms.binding().isEmpty()) {
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
