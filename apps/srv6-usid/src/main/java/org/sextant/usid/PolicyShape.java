// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.sextant.core.json.Fields;
import org.sextant.core.json.JsonInput;
import org.sextant.core.shape.AnyOf;
import org.sextant.core.shape.Elements;
import org.sextant.core.shape.Field;
import org.sextant.core.shape.FieldGroup;
import org.sextant.core.shape.Forms;
import org.sextant.core.shape.IntegerNumber;
import org.sextant.core.shape.ObjectShape;
import org.sextant.core.shape.OneOf;
import org.sextant.core.shape.Shape;
import org.sextant.core.shape.Text;
import org.sextant.core.shape.Values;
import org.sextant.core.shape.Word;
import org.sextant.kit.Endpoint;
import org.sextant.kit.Family;
import org.sextant.kit.Metadata;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.HopShape;
import org.sextant.kit.path.Waypoint;
import org.sextant.usid.Candidate.Composite;
import org.sextant.usid.Decap.Marker;
import org.sextant.usid.Policy.Between;
import org.sextant.usid.Policy.Candidates;
import org.sextant.usid.Policy.Explicit;
import org.sextant.usid.Policy.Return;
import org.sextant.usid.Policy.Symmetry;
import org.sextant.usid.Policy.WeightedHops;

/**
 * The declaration of policies. Defaults are written, so that stored policies keep their meaning if a default changes;
 * those of terms, flows and constraints are not.
 */
public final class PolicyShape {
    private static final String CHOOSE_MARKER = "choose \"f00d\", \"uDT\" or \"numbering\"";

    private static final Text<Waypoint> WAYPOINT =
            Text.parsed(Waypoint::new, "give a node's name, its uSID such as 0x0200 or its SID");

    /** At least a headend and an egress. */
    private static final Elements<Waypoint> NODE_LIST = Elements.of(WAYPOINT)
            .sized(
                    2,
                    Integer.MAX_VALUE,
                    count -> "a path of " + (count == 0 ? "no nodes" : "one node") + " has no headend and egress",
                    count -> "list two nodes at least")
            .rule(PolicyShape::noRepetition);

    private static final Field<Return, Optional<Symmetry>> SYMMETRY = Field.optional(
            "symmetry",
            "the relation of the reverse path to the forward path; absent: asymmetric with returnNodes, symmetric without",
            Word.of(List.of(Symmetry.values()), Symmetry::spelling),
            back -> Optional.of(back.symmetry()));
    private static final Field<Return, Optional<List<Waypoint>>> RETURN_NODES = Field.optional(
            "returnNodes",
            "the nodes of an asymmetric reverse path, its headend first",
            NODE_LIST,
            back -> Optional.of(back.nodes()).filter(nodes -> !nodes.isEmpty()));
    private static final ObjectShape<Return> RETURN = ObjectShape.of(
                    "the reverse path",
                    List.of(SYMMETRY, RETURN_NODES),
                    values -> new Return(
                            symmetry(values), values.get(RETURN_NODES).orElse(List.of())))
            .rule(PolicyShape::nodesOfAsymmetricReturn);

    private static final Field<Between, Endpoint> FROM = endpoint("from", "one end", Between::from);
    private static final Field<Between, Endpoint> TO = endpoint("to", "the other end", Between::to);
    private static final Field<Between, List<Waypoint>> NODES = Field.required(
            "nodes",
            "the nodes to visit, the headend first and the egress last",
            NODE_LIST,
            "list the nodes to visit, the headend first and the egress last",
            Between::nodes);
    private static final FieldGroup<Between, Return> BACK = FieldGroup.of(RETURN, Between::back);
    private static final Field<Between, List<Hop.Firewall>> FIREWALLS = Field.standard(
                    "firewalls",
                    "firewalls that packets pass in both directions where the path visits their nodes",
                    Elements.of(HopShape.FIREWALL).rule(PolicyShape::firewallsOnce),
                    List.<Hop.Firewall>of(),
                    Between::firewalls)
            .writtenUnlessDefault();
    private static final ObjectShape<Between> BETWEEN = ObjectShape.of(
            "the nodes between two ends",
            List.of(FROM, TO, NODES, BACK, FIREWALLS),
            values -> new Between(
                    values.get(FROM), values.get(TO), values.get(NODES), values.get(BACK), values.get(FIREWALLS)));

    private static final Field<Explicit, Waypoint> HEADEND = headend(Explicit::headend);
    private static final FieldGroup<Explicit, List<WeightedHops>> LISTS =
            FieldGroup.of(SegmentListShape.LISTS, Explicit::lists);
    private static final Field<Explicit, Optional<Waypoint>> EGRESS =
            Field.optional("egress", "the end of the path; absent: the last hop", WAYPOINT, Explicit::egress);
    private static final Field<Explicit, Steering> STEERING = Field.required(
            "steering",
            SteeringShape.DESCRIPTION,
            SteeringShape.STEERING,
            SteeringShape.REMEDY,
            path -> new Steering(path.steering(), path.flows()));
    private static final ObjectShape<Explicit> EXPLICIT = ObjectShape.of(
            "segment lists",
            List.of(HEADEND, LISTS, EGRESS, STEERING),
            values -> new Explicit(
                    values.get(HEADEND),
                    values.get(LISTS),
                    values.get(EGRESS),
                    values.get(STEERING).destinations(),
                    false,
                    values.get(STEERING).flows(),
                    false));

    private static final Field<Candidates, Waypoint> START = headend(Candidates::headend);
    private static final Field<Candidates, Waypoint> ENDPOINT = Field.required(
            "endpoint",
            "the node where candidate paths end",
            WAYPOINT,
            "name the node where the traffic leaves",
            Candidates::endpoint);
    private static final FieldGroup<Candidates, Terms> TERMS = FieldGroup.of(TermsShape.TERMS, Candidates::terms);
    private static final Field<Candidates, List<Candidate>> CANDIDATE_PATHS = Field.required(
            "candidatePaths",
            "the best valid one is active (RFC 9256, 2.9)",
            CandidateShape.CANDIDATES,
            "give one path at least: {\"dynamic\": {}} is the shortest one",
            Candidates::paths);
    private static final Field<Candidates, Steering> STEERED = Field.standard(
                    "steering",
                    SteeringShape.DESCRIPTION,
                    SteeringShape.STEERING,
                    Steering.NONE,
                    (Candidates path) -> new Steering(path.steering(), path.flows()))
            .writtenUnlessDefault();
    private static final AnyOf<Candidates> STEERED_OR_BOUND =
            AnyOf.of(STEERED, TermsShape.BINDING_SID, SteeringShape.REMEDY);
    private static final ObjectShape<Candidates> CANDIDATES = ObjectShape.of(
                    "candidate paths",
                    List.of(START, ENDPOINT, TERMS, CANDIDATE_PATHS, STEERED, STEERED_OR_BOUND),
                    values -> new Candidates(
                            values.get(START),
                            values.get(ENDPOINT),
                            values.get(TERMS),
                            values.get(CANDIDATE_PATHS),
                            values.get(STEERED).destinations(),
                            values.get(STEERED).flows()))
            .rule(PolicyShape::endpointBehindHeadend)
            .rule(PolicyShape::noOwnColor);

    private static final Field<Decap, Integer> VRF = Field.required(
            "vrf",
            "the VRF of the lookup of the inner packet",
            IntegerNumber.between(0, 0xffff),
            "write {\"vrf\": 0} for the main table",
            Decap::vrf);
    private static final Shape<Decap> DECAP_SHAPE = OneOf.<Decap>otherwise(Fields::describe, CHOOSE_MARKER)
            .form(
                    node -> !node.isObject(),
                    Word.of(List.of(Marker.values()), Marker::spelling),
                    marker -> new Decap(marker, 0),
                    decap -> decap.vrf() == 0 ? Optional.of(decap.marker()) : Optional.empty())
            .form(
                    JsonNode::isObject,
                    ObjectShape.of("uDT into a VRF", List.of(VRF), values -> new Decap(Marker.UDT, values.get(VRF))),
                    Function.identity(),
                    Optional::of);

    private static final Field<Policy, Optional<String>> NAME = Field.optional(
            "name",
            "becomes the id; absent: the id is derived from the content",
            Text.parsed(PolicyShape::name, "begin with a letter, go on with letters, digits, '.', '_', '-', 63 at most")
                    .described("[A-Za-z][A-Za-z0-9._-]{0,62}"),
            Policy::name);
    private static final Forms<Policy, Policy.Path> PATH = Forms.of(Policy::path, PolicyShape::oneForm)
            .form(PolicyShape::hasCandidates, CANDIDATES, Candidates.class)
            .form(values -> hasLists(values) && !isBetween(values), EXPLICIT, Explicit.class)
            .form(values -> true, BETWEEN, Between.class);
    private static final Field<Policy, Optional<Decap>> DECAP = Field.optional(
            "decap",
            "the decapsulation at the egress: f00d, uDT, numbering, none, or a VRF; absent: f00d",
            DECAP_SHAPE,
            policy -> Optional.of(policy.decap()));
    private static final Field<Policy, Optional<Family>> FAMILY = Field.optional(
            "family",
            "the address family that it steers; absent: all that both ends have",
            Word.of(List.of(Family.values()), Family::spelling),
            Policy::family);
    private static final Field<Policy, Optional<Boolean>> REDUCED = Field.optional(
            "encapsulation",
            "H.Encaps.Red (RFC 8986, 5.2), or H.Encaps; absent: reduced",
            Word.either("reduced", "full"),
            policy -> Optional.of(policy.reduced()));

    private static final FieldGroup<Policy, Metadata> METADATA = Metadata.fields(Policy::metadata);

    public static final ObjectShape<Policy> POLICY = ObjectShape.of(
                    "an SR policy: from, to and nodes; or headend, steering and hops or segmentLists; or headend, endpoint,"
                            + " steering and candidatePaths",
                    List.of(NAME, PATH, DECAP, FAMILY, REDUCED, METADATA),
                    values -> new Policy(
                            values.get(NAME),
                            values.get(PATH),
                            values.get(DECAP).orElse(Decap.F00D),
                            values.get(FAMILY),
                            values.get(REDUCED).orElse(true),
                            values.get(METADATA)))
            .rule(PolicyShape::egressDecapsulates)
            .named("Policy");

    private PolicyShape() {}

    private static Field<Between, Endpoint> endpoint(
            String name, String description, Function<Between, Endpoint> getter) {
        String remedy = "give a host's name, an address or a prefix";
        return Field.required(
                name,
                description + ": a host's name, an address or a prefix",
                Text.parsed(Endpoint::parse, remedy),
                remedy,
                getter);
    }

    private static <P> Field<P, Waypoint> headend(Function<P, Waypoint> getter) {
        return Field.required(
                "headend",
                "the node where the traffic enters",
                WAYPOINT,
                "name the node where the traffic enters",
                getter);
    }

    private static String name(String text) {
        Policy.checkName(text);
        return text;
    }

    private static boolean isBetween(Values<?> values) {
        return values.has(FROM) | values.has(TO) | values.has(NODES);
    }

    private static boolean hasLists(Values<?> values) {
        return values.has(HEADEND) | hasHops(values) | values.has(STEERING);
    }

    private static boolean hasHops(Values<?> values) {
        return values.has(SegmentListShape.HOPS) | values.has(SegmentListShape.SEGMENT_LISTS);
    }

    private static boolean hasCandidates(Values<?> values) {
        return values.has(ENDPOINT) | values.has(CANDIDATE_PATHS);
    }

    /** Asks for the fields that only one form has, and makes them known in all. */
    private static void oneForm(Values<Policy> values) {
        boolean between = isBetween(values);
        boolean listed = hasLists(values);
        if (hasCandidates(values)) {
            if (between || hasHops(values)) {
                values.invalid(
                        values.has(CANDIDATE_PATHS) ? CANDIDATE_PATHS : ENDPOINT,
                        "two forms of a policy are mixed",
                        "with candidatePaths write headend, endpoint and steering, and hops in a candidate path");
            }
            return;
        }
        if (values.has(TermsShape.LIVENESS)) {
            values.invalid(
                    TermsShape.LIVENESS,
                    "only candidate paths are watched: another path has nothing that could be used in its place",
                    "write headend, endpoint and candidatePaths; one each way where both are to be watched");
        }
        if (between && listed) {
            values.invalid(
                    values.has(HEADEND)
                            ? HEADEND
                            : values.has(SegmentListShape.HOPS) ? SegmentListShape.HOPS : STEERING,
                    "the two forms of a policy are mixed",
                    "write either from, to and nodes, or headend, hops and steering");
        }
    }

    private static void egressDecapsulates(Values<Policy> values) {
        if (values.given(DECAP).filter(decap -> decap.marker() == Marker.NONE).isEmpty()) {
            return;
        }
        if (hasCandidates(values)) {
            values.invalid(
                    DECAP,
                    "candidate paths end at the endpoint, which decapsulates only at a SID for it",
                    CHOOSE_MARKER);
        } else if (isBetween(values)) {
            values.invalid(DECAP, "a list of nodes brings no SID that decapsulates", CHOOSE_MARKER);
        } else if (hasLists(values) && values.has(EGRESS)) {
            values.invalid(EGRESS, "with \"decap\": \"none\" the path ends in the last SID given", "leave egress out");
        }
    }

    private static void noRepetition(List<Optional<Waypoint>> nodes, List<JsonInput> inputs) {
        for (int i = 1; i < nodes.size(); i++) {
            if (nodes.get(i).isPresent() && nodes.get(i).equals(nodes.get(i - 1))) {
                inputs.get(i).invalid("node " + nodes.get(i).get() + " follows itself", "name it once");
            }
        }
    }

    private static void firewallsOnce(List<Optional<Hop.Firewall>> firewalls, List<JsonInput> inputs) {
        List<Optional<String>> ids =
                firewalls.stream().map(one -> one.map(Hop.Firewall::id)).toList();
        for (int i = 1; i < ids.size(); i++) {
            if (ids.get(i).isPresent() && ids.subList(0, i).contains(ids.get(i))) {
                inputs.get(i)
                        .invalid(
                                "firewall \"" + ids.get(i).get() + "\" is listed twice",
                                "list it once: packets go through it wherever the path visits its node");
            }
        }
    }

    private static Symmetry symmetry(Values<Return> values) {
        return values.given(SYMMETRY).orElse(values.has(RETURN_NODES) ? Symmetry.ASYMMETRIC : Symmetry.SYMMETRIC);
    }

    private static void nodesOfAsymmetricReturn(Values<Return> values) {
        boolean own = values.has(RETURN_NODES);
        if (own != (symmetry(values) == Symmetry.ASYMMETRIC)) {
            values.invalid(
                    RETURN_NODES,
                    own
                            ? "a policy that is " + symmetry(values).spelling()
                                    + " has no nodes of its own for the way back"
                            : "\"returnNodes\" is missing",
                    own
                            ? "leave returnNodes out, or write \"symmetry\": \"asymmetric\""
                            : "list the nodes of the way back, its headend first");
        }
    }

    private static void endpointBehindHeadend(Values<Candidates> values) {
        Optional<Waypoint> endpoint = values.find(ENDPOINT);
        if (endpoint.isPresent() && endpoint.equals(values.find(START))) {
            values.invalid(
                    ENDPOINT,
                    "the endpoint " + endpoint.get() + " is the headend",
                    "name the node where the traffic leaves");
        }
    }

    /** A policy that is composed of itself would be endless (RFC 9256, 2.2). */
    private static void noOwnColor(Values<Candidates> values) {
        OptionalLong own = values.find(TERMS).map(Terms::color).orElse(OptionalLong.empty());
        List<Candidate> paths = values.find(CANDIDATE_PATHS).orElse(List.of());
        for (int i = 0; i < paths.size() && own.isPresent(); i++) {
            if (paths.get(i).choice() instanceof Composite composite) {
                for (int j = 0; j < composite.of().size(); j++) {
                    if (composite.of().get(j).color() == own.getAsLong()) {
                        values.invalid(
                                CANDIDATE_PATHS,
                                "/" + i + "/composite/" + j + "/color",
                                "color " + own.getAsLong() + " is the policy's own",
                                "name other policies");
                    }
                }
            }
        }
    }
}
