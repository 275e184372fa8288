// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.json.Fields;
import org.sextant.core.json.JsonInput;
import org.sextant.kit.Endpoint;
import org.sextant.kit.Family;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.HopShape;
import org.sextant.kit.path.Waypoint;
import org.sextant.usid.Decap.Marker;
import org.sextant.usid.Policy.Between;
import org.sextant.usid.Policy.Candidates;
import org.sextant.usid.Policy.Explicit;
import org.sextant.usid.Policy.Return;
import org.sextant.usid.Policy.Symmetry;
import org.sextant.usid.Policy.WeightedHops;

/**
 * Reads and writes the JSON form of policies. Reading is strict and reports every problem with its JSON pointer;
 * writing is canonical: equal policies give equal texts, and reading a written policy gives an equal one. Defaults are
 * written explicitly, so that stored policies keep their meaning if a default changes.
 */
public final class PolicyJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private PolicyJson() {}

    /** @throws ProblemException with every problem of the document */
    public static Policy decode(JsonNode json) {
        Fields fields = new Fields(json, "", new ArrayList<>());
        Optional<String> name = fields.parsed(
                "name", "begin with a letter, go on with letters, digits, '.', '_', '-', 63 at most", text -> {
                    Policy.checkName(text);
                    return text;
                });
        Decap decap = decap(fields);
        Optional<Family> family = fields.word("family", List.of(Family.values()), Family::spelling);
        boolean reduced = fields.word("encapsulation", List.of(true, false), PolicyJson::encapsulation)
                .orElse(true);
        Optional<? extends Policy.Path> path = path(fields, decap);
        fields.finishOrThrow();
        return new Policy(name, path.orElseThrow(), decap, family, reduced);
    }

    private static String encapsulation(boolean reduced) {
        return reduced ? "reduced" : "full";
    }

    private static Decap decap(Fields fields) {
        Optional<JsonNode> node = fields.node("decap");
        if (node.isPresent() && node.get().isObject()) {
            Fields inner = new Fields(node.get(), fields.pointer("decap"), fields.problems());
            inner.require("vrf", "write {\"vrf\": 0} for the main table");
            long vrf = inner.integer("vrf", 0, 0xffff, 0);
            inner.finish();
            return new Decap(Marker.UDT, (int) vrf);
        }
        return fields.word("decap", List.of(Marker.values()), Marker::spelling)
                .map(marker -> new Decap(marker, 0))
                .orElse(Decap.F00D);
    }

    /** Recognizes the form by the fields that only it has. */
    private static Optional<? extends Policy.Path> path(Fields fields, Decap decap) {
        boolean between = fields.has("from") | fields.has("to") | fields.has("nodes");
        boolean explicit =
                fields.has("headend") | fields.has("hops") | fields.has("segmentLists") | fields.has("steering");
        boolean candidates = fields.has("endpoint") | fields.has("candidatePaths");
        if (candidates) {
            if (between | fields.has("hops") | fields.has("segmentLists")) {
                fields.invalid(
                        fields.pointer(fields.has("candidatePaths") ? "candidatePaths" : "endpoint"),
                        "two forms of a policy are mixed",
                        "with candidatePaths write headend, endpoint and steering, and hops in a candidate path");
            }
            return candidates(fields, decap);
        }
        LivenessTerms.refuse(fields);
        if (between && explicit) {
            fields.invalid(
                    fields.pointer(fields.has("headend") ? "headend" : fields.has("hops") ? "hops" : "steering"),
                    "the two forms of a policy are mixed",
                    "write either from, to and nodes, or headend, hops and steering");
        }
        if (between && decap.marker() == Marker.NONE) {
            fields.invalid(
                    fields.pointer("decap"),
                    "a list of nodes brings no SID that decapsulates",
                    "choose \"f00d\", \"uDT\" or \"numbering\"");
        }
        return explicit && !between ? explicit(fields, decap) : between(fields);
    }

    private static Optional<Between> between(Fields fields) {
        Optional<Endpoint> from = endpoint(fields, "from");
        Optional<Endpoint> to = endpoint(fields, "to");
        fields.require("nodes", "list the nodes to visit, the headend first and the egress last");
        List<Waypoint> nodes = waypoints(fields, "nodes");
        Optional<Return> back = back(fields);
        List<Hop.Firewall> firewalls = fields.list("firewalls", (node, at) -> HopShape.firewall(node, at, fields));
        twice(fields, firewalls);
        boolean whole = from.isPresent() && to.isPresent() && nodes.size() > 1 && back.isPresent();
        return whole ? Optional.of(new Between(from.get(), to.get(), nodes, back.get(), firewalls)) : Optional.empty();
    }

    private static void twice(Fields fields, List<Hop.Firewall> firewalls) {
        for (int i = 1; i < firewalls.size(); i++) {
            String id = firewalls.get(i).id();
            if (firewalls.subList(0, i).stream().anyMatch(before -> before.id().equals(id))) {
                fields.invalid(
                        fields.pointer("firewalls") + "/" + i,
                        "firewall \"" + id + "\" is listed twice",
                        "list it once: packets go through it wherever the path visits its node");
            }
        }
    }

    private static Optional<Endpoint> endpoint(Fields fields, String name) {
        fields.require(name, "give a host's name, an address or a prefix");
        return fields.parsed(name, "give a host's name, an address or a prefix", Endpoint::parse);
    }

    private static List<Waypoint> waypoints(Fields fields, String name) {
        int before = fields.problems().size();
        List<Waypoint> nodes = fields.list(
                name,
                (node, at) -> fields.asText(node, at)
                        .flatMap(text -> fields.parse(
                                text, at, "give a node's name, its uSID such as 0x0200 or its SID", Waypoint::new)));
        for (int i = 1; i < nodes.size(); i++) {
            if (nodes.get(i).equals(nodes.get(i - 1))) {
                fields.invalid(
                        fields.pointer(name) + "/" + i, "node " + nodes.get(i) + " follows itself", "name it once");
            }
        }
        if (fields.has(name) && nodes.size() < 2 && fields.problems().size() == before) {
            fields.invalid(
                    fields.pointer(name),
                    "a path of " + (nodes.isEmpty() ? "no nodes" : "one node") + " has no headend and egress",
                    "list two nodes at least");
        }
        return nodes;
    }

    private static Optional<Return> back(Fields fields) {
        boolean own = fields.has("returnNodes");
        List<Waypoint> nodes = waypoints(fields, "returnNodes");
        Symmetry symmetry = fields.word("symmetry", List.of(Symmetry.values()), Symmetry::spelling)
                .orElse(own ? Symmetry.ASYMMETRIC : Symmetry.SYMMETRIC);
        if (own != (symmetry == Symmetry.ASYMMETRIC)) {
            fields.invalid(
                    fields.pointer("returnNodes"),
                    own
                            ? "a policy that is " + symmetry.spelling() + " has no nodes of its own for the way back"
                            : "\"returnNodes\" is missing",
                    own
                            ? "leave returnNodes out, or write \"symmetry\": \"asymmetric\""
                            : "list the nodes of the way back, its headend first");
            return Optional.empty();
        }
        return own && nodes.size() < 2 ? Optional.empty() : Optional.of(new Return(symmetry, nodes));
    }

    private static Optional<Explicit> explicit(Fields fields, Decap decap) {
        fields.require("headend", "name the node where the traffic enters");
        Optional<Waypoint> headend = waypoint(fields, "headend");
        Optional<Waypoint> egress = waypoint(fields, "egress");
        SteeringJson steering = SteeringJson.decode(fields, false);
        List<WeightedHops> lists = lists(fields);
        if (decap.marker() == Marker.NONE && egress.isPresent()) {
            fields.invalid(
                    fields.pointer("egress"),
                    "with \"decap\": \"none\" the path ends in the last SID given",
                    "leave egress out");
        }
        boolean whole = headend.isPresent() && !steering.isEmpty() && !lists.isEmpty();
        return whole
                ? Optional.of(new Explicit(
                        headend.get(), lists, egress, steering.destinations(), false, steering.flows(), false))
                : Optional.empty();
    }

    /** Reads RFC 9256's form; fields of other forms are errors. */
    private static Optional<Candidates> candidates(Fields fields, Decap decap) {
        fields.require("headend", "name the node where the traffic enters");
        Optional<Waypoint> headend = waypoint(fields, "headend");
        fields.require("endpoint", "name the node where the traffic leaves");
        Optional<Waypoint> endpoint = waypoint(fields, "endpoint");
        if (headend.isPresent() && headend.equals(endpoint)) {
            fields.invalid(
                    fields.pointer("endpoint"),
                    "the endpoint " + endpoint.get() + " is the headend",
                    "name the node where the traffic leaves");
        }
        Terms terms = TermsJson.decode(fields);
        SteeringJson steering = SteeringJson.decode(fields, fields.has("bindingSid"));
        fields.require("candidatePaths", "give one path at least: {\"dynamic\": {}} is the shortest one");
        List<Candidate> paths = fields.has("candidatePaths") ? CandidateJson.decode(fields) : List.of();
        CompositeJson.refuseOwn(terms.color(), paths, fields);
        if (decap.marker() == Marker.NONE) {
            fields.invalid(
                    fields.pointer("decap"),
                    "candidate paths end at the endpoint, which has to be told to decapsulate",
                    "choose \"f00d\", \"uDT\" or \"numbering\"");
        }
        boolean enters = !steering.isEmpty() || terms.binding().isPresent();
        boolean whole = headend.isPresent() && endpoint.isPresent() && enters && !paths.isEmpty();
        return whole
                ? Optional.of(new Candidates(
                        headend.get(), endpoint.get(), terms, paths, steering.destinations(), steering.flows()))
                : Optional.empty();
    }

    private static Optional<Waypoint> waypoint(Fields fields, String name) {
        return fields.parsed(name, "give a node's name, its uSID such as 0x0200 or its SID", Waypoint::new);
    }

    /** The lists in {@code hops} or {@code segmentLists}. */
    static List<WeightedHops> lists(Fields fields) {
        if (fields.has("segmentLists") == fields.has("hops")) {
            fields.invalid(
                    fields.pointer("hops"),
                    fields.has("hops")
                            ? "\"hops\" and \"segmentLists\" say the same thing twice"
                            : "\"hops\" is missing",
                    "list the hops of one path in hops, or of several weighted ones in segmentLists");
            return List.of();
        }
        if (fields.has("hops")) {
            return hops(fields).map(hops -> List.of(new WeightedHops(1, hops))).orElse(List.of());
        }
        List<WeightedHops> lists = fields.list("segmentLists", (node, at) -> {
            Fields list = new Fields(node, at, fields.problems());
            list.require("hops", "list the hops of this path");
            int weight = weight(list);
            Optional<WeightedHops> value = hops(list).map(hops -> new WeightedHops(weight, hops));
            list.finish();
            return value;
        });
        if (lists.isEmpty()
                && fields.node("segmentLists").get().isArray()
                && fields.node("segmentLists").get().size() == 0) {
            fields.invalid(fields.pointer("segmentLists"), "there is no path", "give one at least");
        }
        return lists;
    }

    private static int weight(Fields list) {
        boolean zero = list.node("weight")
                .filter(node -> node.isIntegralNumber() && node.asLong(1) == 0)
                .isPresent();
        if (zero) {
            list.invalid(
                    list.pointer("weight"),
                    "a list of weight 0 is not valid and takes no packets (RFC 9256, 5.1)",
                    "leave the list out, or give it a weight from 1 to 255");
            return 1;
        }
        return (int) list.integer("weight", 1, 255, 1);
    }

    private static Optional<List<Hop>> hops(Fields fields) {
        List<Hop> hops =
                fields.list("hops", (node, at) -> HopShape.HOP.read(new JsonInput(node, at, fields.problems())));
        boolean empty = fields.node("hops")
                .map(node -> node.isArray() && node.size() == 0)
                .orElse(false);
        if (empty) {
            fields.invalid(fields.pointer("hops"), "there is no hop", "give one at least: the egress");
        }
        return hops.isEmpty() ? Optional.empty() : Optional.of(hops);
    }

    /** Canonical: the same fields in the same order for equal policies. */
    public static ObjectNode encode(Policy policy) {
        ObjectNode json = NODES.objectNode();
        policy.name().ifPresent(name -> json.put("name", name));
        if (policy.path() instanceof Between path) {
            encode(path, json);
        } else if (policy.path() instanceof Explicit path) {
            encode(path, json);
        } else if (policy.path() instanceof Candidates path) {
            encode(path, json);
        }
        json.set(
                "decap",
                policy.decap().vrf() == 0
                        ? NODES.textNode(policy.decap().marker().spelling())
                        : NODES.objectNode().put("vrf", policy.decap().vrf()));
        policy.family().ifPresent(family -> json.put("family", family.spelling()));
        return json.put("encapsulation", encapsulation(policy.reduced()));
    }

    private static void encode(Between path, ObjectNode json) {
        json.put("from", path.from().toString()).put("to", path.to().toString());
        json.set("nodes", texts(path.nodes(), Waypoint::text));
        json.put("symmetry", path.back().symmetry().spelling());
        if (path.back().symmetry() == Symmetry.ASYMMETRIC) {
            json.set("returnNodes", texts(path.back().nodes(), Waypoint::text));
        }
        if (!path.firewalls().isEmpty()) {
            ArrayNode firewalls = json.putArray("firewalls");
            path.firewalls()
                    .forEach(one -> firewalls.add(HopShape.HOP.write(one).without("loose")));
        }
    }

    private static void encode(Explicit path, ObjectNode json) {
        json.put("headend", path.headend().text());
        encode(path.lists(), json);
        path.egress().ifPresent(egress -> json.put("egress", egress.text()));
        json.set("steering", SteeringJson.encode(path.steering(), path.flows()));
    }

    private static void encode(Candidates path, ObjectNode json) {
        json.put("headend", path.headend().text())
                .put("endpoint", path.endpoint().text());
        TermsJson.encode(path.terms(), json);
        ArrayNode paths = json.putArray("candidatePaths");
        path.paths().forEach(one -> CandidateJson.encode(one, paths.addObject()));
        if (!path.steering().isEmpty() || !path.flows().isEmpty()) {
            json.set("steering", SteeringJson.encode(path.steering(), path.flows()));
        }
    }

    /** The fields that {@link #lists} reads. */
    static void encode(List<WeightedHops> all, ObjectNode json) {
        if (all.size() == 1 && all.get(0).weight() == 1) {
            json.set("hops", hops(all.get(0)));
        } else {
            ArrayNode lists = json.putArray("segmentLists");
            all.forEach(list -> lists.addObject().put("weight", list.weight()).set("hops", hops(list)));
        }
    }

    private static ArrayNode hops(WeightedHops list) {
        ArrayNode array = NODES.arrayNode();
        list.hops().forEach(hop -> array.add(HopShape.HOP.write(hop)));
        return array;
    }

    private static <T> ArrayNode texts(List<T> values, Function<T, String> text) {
        ArrayNode array = NODES.arrayNode();
        values.forEach(value -> array.add(text.apply(value)));
        return array;
    }

    /** An exception for callers that find a problem themselves. */
    static ProblemException invalid(String field, String message, String remedy) {
        return new ProblemException(new Problem(Problem.Code.INVALID, field, message, remedy));
    }
}
