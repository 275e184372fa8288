// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.sextant.core.intent.SetupHoldPriority;
import org.sextant.kit.Endpoint;
import org.sextant.kit.Family;
import org.sextant.kit.Metadata;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.Waypoint;

/**
 * An SR policy as an operator specifies it, independent of any network. Immutable.
 *
 * @param name becomes the policy's id; without one the id is derived from the content
 * @param family restricts the policy to one address family; by default it steers every family that both ends have
 * @param reduced H.Encaps.Red (RFC 8986, 5.2), else H.Encaps
 */
public record Policy(
        Optional<String> name, Path path, Decap decap, Optional<Family> family, boolean reduced, Metadata metadata) {

    public Policy {
        Objects.requireNonNull(path);
        Objects.requireNonNull(decap);
        name.ifPresent(Policy::checkName);
    }

    public Policy(Optional<String> name, Path path, Decap decap, Optional<Family> family, boolean reduced) {
        this(name, path, decap, family, reduced, Metadata.NONE);
    }

    /** Without the fields that have no influence on its packets. */
    public Policy withoutMetadata() {
        return new Policy(name, path, decap, family, reduced);
    }

    static void checkName(String name) {
        if (!name.matches("[A-Za-z][A-Za-z0-9._-]{0,62}")) {
            throw new IllegalArgumentException("\"" + name + "\" is not a name");
        }
    }

    /** The path in one of three forms. */
    public sealed interface Path permits Between, Explicit, Candidates {}

    /** The headend; empty for the host-to-host form. */
    public Optional<Waypoint> headend() {
        if (path instanceof Explicit explicit) {
            return Optional.of(explicit.headend());
        }
        return path instanceof Candidates candidates ? Optional.of(candidates.headend()) : Optional.empty();
    }

    /** The destinations steered at the headend; empty for the host-to-host form. */
    public List<Endpoint> steering() {
        if (path instanceof Explicit explicit) {
            return explicit.steering();
        }
        return path instanceof Candidates candidates ? candidates.steering() : List.of();
    }

    /** The flows that are steered in addition. */
    public List<SteeredFlow> flows() {
        if (path instanceof Explicit explicit) {
            return explicit.flows();
        }
        return path instanceof Candidates candidates ? candidates.flows() : List.of();
    }

    /** The terms of candidate paths; the other forms have the default ones. */
    public Terms terms() {
        return path instanceof Candidates candidates ? candidates.terms() : Terms.DEFAULT;
    }

    /** All explicit lists of hops; empty for the host-to-host form. */
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

    /** The priorities of its bandwidth reservation, if a computed path has one: they are equal in all of its paths. */
    public Optional<SetupHoldPriority> standing() {
        return path instanceof Candidates candidates
                ? candidates.paths().stream()
                        .filter(one -> one.choice() instanceof Candidate.Dynamic)
                        .flatMap(one -> ((Candidate.Dynamic) one.choice()).demand().stream())
                        .map(Candidate.Demand::standing)
                        .findFirst()
                : Optional.empty();
    }

    /** The constituents of its composite paths. */
    public List<Candidate.Constituent> constituents() {
        return path instanceof Candidates candidates
                ? candidates.paths().stream()
                        .filter(one -> one.choice() instanceof Candidate.Composite)
                        .flatMap(one -> ((Candidate.Composite) one.choice()).of().stream())
                        .toList()
                : List.of();
    }

    /** The disjointness constraints of its computed paths. */
    public List<Candidate.Apart> apart() {
        return path instanceof Candidates candidates
                ? candidates.paths().stream()
                        .filter(one -> one.choice() instanceof Candidate.Dynamic)
                        .flatMap(one -> ((Candidate.Dynamic) one.choice()).disjointFrom().stream())
                        .toList()
                : List.of();
    }

    /**
     * The uSID paper's form, host to host: the nodes to visit between two ends (VI-C). The first is the headend and the
     * last the egress; each pair of neighbors in the list must be able to reach each other but need not share a link.
     *
     * @param firewalls each at one of the nodes; packets pass them there in both directions
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

    /** The reverse path. {@code nodes} is empty unless asymmetric. */
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

    /** The relation of the reverse path to the forward path. */
    public enum Symmetry {
        /** The same nodes in reverse. */
        SYMMETRIC("symmetric"),
        /** Nodes of its own. */
        ASYMMETRIC("asymmetric"),
        /** None: the policy steers in the forward direction only. */
        ONE_WAY("one-way");

        private final String spelling;

        Symmetry(String spelling) {
            this.spelling = spelling;
        }

        /** The spelling in JSON and CLI. */
        public String spelling() {
            return spelling;
        }
    }

    /**
     * The general form: packets that enter at the headend towards {@code steering} take one of the weighted lists.
     *
     * @param egress the end of the path; empty: the last hop
     * @param bound packets with a binding SID take it, too; then steering may be empty
     * @param flows the flows that are steered in addition
     * @param gathered the lists are those of several policies, and may be equal
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
     * RFC 9256's form: of several candidate paths from the headend to the endpoint the best valid one is active.
     *
     * @param paths in the given order
     * @param flows the flows that are steered in addition
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

    /** One of several lists of hops; the headend distributes flows over them by weight. */
    public record WeightedHops(int weight, List<Hop> hops) {
        public WeightedHops {
            hops = List.copyOf(hops);
            if (weight < 1 || weight > 255 || hops.isEmpty()) {
                throw new IllegalArgumentException("a list of hops has at least one hop and a weight from 1 to 255");
            }
        }
    }
}
