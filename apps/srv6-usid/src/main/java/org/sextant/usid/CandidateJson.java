// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.sextant.core.json.Fields;
import org.sextant.core.net.Metric;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.Waypoint;
import org.sextant.usid.Candidate.Affinity;
import org.sextant.usid.Candidate.Apart;
import org.sextant.usid.Candidate.Dynamic;
import org.sextant.usid.Candidate.Exclude;
import org.sextant.usid.Candidate.Share;
import org.sextant.usid.Candidate.Twin;

/** Reads and writes candidate paths in a policy's JSON. */
final class CandidateJson {
    /** The maximum number of candidate paths; each may have to be computed. */
    private static final int MOST = 16;

    /** The maximum number of colors, groups, excluded nodes or links: each costs a search where there is no path. */
    private static final int MOST_NAMED = 64;

    private static final long MAX_SUM = Integer.MAX_VALUE;

    private CandidateJson() {}

    static List<Candidate> decode(Fields policy) {
        List<Candidate> candidates = policy.list("candidatePaths", (node, at) -> candidate(node, at, policy));
        int given = policy.node("candidatePaths").map(JsonNode::size).orElse(0);
        if (given == 0) {
            policy.invalid(policy.pointer("candidatePaths"), "there is no candidate path", "give one at least");
        }
        if (given > MOST) {
            policy.invalid(
                    policy.pointer("candidatePaths"),
                    given + " candidate paths are more than " + MOST,
                    "leave those out that are never taken");
        }
        for (int i = 1; i < candidates.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (candidates.get(i).key().equals(candidates.get(j).key())) {
                    twice(policy, j, i, candidates.get(i));
                }
            }
        }
        DemandJson.requireOneStanding(policy, candidates);
        if (candidates.size() == given) {
            TwinJson.requirePairs(policy, candidates);
        }
        return candidates;
    }

    /** Reports candidate paths without an order between them (RFC 9256, 2.6 and 2.9). */
    private static void twice(Fields policy, int first, int second, Candidate candidate) {
        String both = "candidate paths " + first + " and " + second + " have the same ";
        policy.invalid(
                policy.pointer("candidatePaths") + "/" + second,
                candidate.discriminator() == 0
                        ? both + "preference, " + candidate.preference()
                        : both + "discriminator, " + candidate.discriminator() + ", and the same origin",
                "give each one of its own, or a \"discriminator\": of equal preferences the higher one is taken");
    }

    private static Optional<Candidate> candidate(JsonNode node, String at, Fields policy) {
        Fields fields = new Fields(node, at, policy.problems());
        long preference = fields.integer("preference", 0, Candidate.MAX, Candidate.DEFAULT_PREFERENCE);
        long discriminator = fields.integer("discriminator", 0, Candidate.MAX, 0);
        Origin origin = Origin.decode(fields);
        boolean composed = fields.has("composite");
        boolean computed = fields.has("dynamic");
        if ((computed | composed) && (fields.has("hops") | fields.has("segmentLists")) || computed && composed) {
            fields.invalid(
                    fields.pointer(computed ? "dynamic" : "composite"),
                    composed
                            ? "a candidate path is composed, computed or written down, one of them"
                            : "a candidate path is computed or written down, not both",
                    composed ? "leave the others out" : "leave dynamic out, or hops and segmentLists");
        }
        Optional<? extends Candidate.Choice> choice = composed ? CompositeJson.decode(fields) : alone(fields, computed);
        fields.finish();
        return choice.map(one -> new Candidate(preference, origin, discriminator, one));
    }

    private static Optional<? extends Candidate.Choice> alone(Fields fields, boolean computed) {
        return computed
                ? dynamic(fields)
                : Optional.of(PolicyJson.lists(fields))
                        .filter(lists -> !lists.isEmpty())
                        .map(Candidate.Explicit::new);
    }

    private static Optional<Dynamic> dynamic(Fields candidate) {
        return object(candidate, "dynamic").map(fields -> {
            Metric metric = fields.word("metric", List.of(Metric.values()), CandidateJson::name)
                    .orElse(Metric.IGP);
            List<Twin> twins = new ArrayList<>();
            List<Apart> apart = apart(fields, twins);
            Dynamic dynamic = new Dynamic(
                    metric,
                    bounds(fields),
                    affinity(fields),
                    exclude(fields),
                    apart,
                    IncludeJson.decode(fields),
                    DemandJson.decode(fields),
                    twins.stream().findFirst());
            fields.finish();
            return dynamic;
        });
    }

    private static Optional<Fields> object(Fields around, String name) {
        return around.node(name).map(node -> new Fields(node, around.pointer(name), around.problems()));
    }

    private static SortedMap<Metric, Long> bounds(Fields dynamic) {
        SortedMap<Metric, Long> bounds = new TreeMap<>();
        object(dynamic, "bounds").ifPresent(fields -> {
            for (Metric metric : Metric.values()) {
                if (fields.has(bound(metric))) {
                    bounds.put(metric, fields.integer(bound(metric), 1, MAX_SUM, MAX_SUM));
                }
            }
            fields.finish();
        });
        return bounds;
    }

    private static Affinity affinity(Fields dynamic) {
        return object(dynamic, "affinity")
                .map(fields -> {
                    Affinity affinity = new Affinity(
                            colors(fields, "includeAny"), colors(fields, "includeAll"), colors(fields, "excludeAny"));
                    contradictions(fields, affinity);
                    fields.finish();
                    return affinity;
                })
                .orElse(Affinity.ANY);
    }

    private static List<String> colors(Fields fields, String name) {
        return named(
                fields,
                name,
                (node, at) -> fields.asText(node, at)
                        .flatMap(text -> fields.parse(text, at, "name a color as links do", CandidateJson::color)));
    }

    private static String color(String text) {
        if (text.isEmpty() || text.length() > 63) {
            throw new IllegalArgumentException("a color has 1 to 63 characters");
        }
        return text;
    }

    /** Reports colors that a link would have to have and not to have. */
    private static void contradictions(Fields fields, Affinity affinity) {
        for (int i = 0; i < affinity.excludeAny().size(); i++) {
            String color = affinity.excludeAny().get(i);
            boolean alone = affinity.includeAny().equals(List.of(color));
            if (alone || affinity.includeAll().contains(color)) {
                fields.invalid(
                        fields.pointer("excludeAny") + "/" + i,
                        "color \"" + color + "\" is included and excluded: no link can be both",
                        "name it once");
            }
        }
    }

    private static Exclude exclude(Fields dynamic) {
        return object(dynamic, "exclude")
                .map(fields -> {
                    Exclude exclude = new Exclude(
                            named(
                                    fields,
                                    "nodes",
                                    (node, at) -> fields.asText(node, at)
                                            .flatMap(text -> fields.parse(
                                                    text,
                                                    at,
                                                    "give a node's name, its uSID or its SID",
                                                    Waypoint::new))),
                            named(
                                    fields,
                                    "links",
                                    (node, at) -> fields.asText(node, at)
                                            .flatMap(text -> fields.parse(
                                                    text,
                                                    at,
                                                    "write p7-p6, or with ports p7/2-p6/3",
                                                    CandidateJson::link))),
                            named(fields, "srlg", (node, at) -> group(node, at, fields)));
                    fields.finish();
                    return exclude;
                })
                .orElse(Exclude.NOTHING);
    }

    /** @param twins collects the constraints on candidate paths of the same policy */
    private static List<Apart> apart(Fields dynamic, List<Twin> twins) {
        List<Apart> apart = named(dynamic, "disjointFrom", (node, at) -> {
            Fields fields = new Fields(node, at, dynamic.problems());
            if (fields.has("candidate")) {
                TwinJson.decode(fields).ifPresent(twins::add);
                return Optional.empty();
            }
            fields.require("policy", "name a policy, or another candidate path of this one by its preference");
            Optional<String> policy = fields.text("policy");
            Optional<Share> share = fields.word("share", List.of(Share.values()), Share::spelling);
            fields.finish();
            return policy.map(name -> new Apart(name, share.orElse(Share.LINK)));
        });
        if (twins.size() > 1) {
            dynamic.invalid(
                    dynamic.pointer("disjointFrom"),
                    "candidate paths are disjoint two by two, not from " + twins.size() + " others",
                    "name one of them");
        }
        for (int i = 1; i < apart.size(); i++) {
            if (apart.get(i).policy().equals(apart.get(i - 1).policy())) {
                dynamic.invalid(
                        dynamic.pointer("disjointFrom"),
                        "policy \"" + apart.get(i).policy() + "\" is named twice",
                        "name it once: srlg-node is the most that can be asked");
            }
        }
        return apart;
    }

    private static String link(String text) {
        return new Hop.OverLink(text, false).link();
    }

    private static Optional<Integer> group(JsonNode node, String at, Fields fields) {
        if (!node.isIntegralNumber() || !node.canConvertToInt() || node.intValue() < 0) {
            fields.invalid(at, "a group is a number of 0 or more, not " + Fields.describe(node), "write its number");
            return Optional.empty();
        }
        return Optional.of(node.intValue());
    }

    /** Sorts the elements by their texts: the order has no meaning, and equal policies have equal texts. */
    private static <T> List<T> named(Fields fields, String name, BiFunction<JsonNode, String, Optional<T>> element) {
        List<T> values = new ArrayList<>(fields.list(name, element));
        if (values.size() > MOST_NAMED) {
            fields.invalid(fields.pointer(name), values.size() + " are more than " + MOST_NAMED, "name fewer of them");
        }
        List<T> once = new ArrayList<>(values.stream().distinct().toList());
        once.sort((one, other) -> one.toString().compareTo(other.toString()));
        return Collections.unmodifiableList(once);
    }

    /** The name of a metric in {@code "metric"}. */
    static String name(Metric metric) {
        return switch (metric) {
            case IGP -> "igp";
            case TE -> "te";
            case DELAY -> "delay";
            case HOPS -> "hops";
        };
    }

    /** The name of a metric in {@code "bounds"}. */
    static String bound(Metric metric) {
        return metric == Metric.DELAY ? "delayMicros" : name(metric);
    }

    static ObjectNode encode(Candidate candidate, ObjectNode json) {
        json.put("preference", candidate.preference());
        if (candidate.discriminator() != 0) {
            json.put("discriminator", candidate.discriminator());
        }
        candidate.origin().encode(json);
        if (candidate.choice() instanceof Candidate.Explicit explicit) {
            PolicyJson.encode(explicit.lists(), json);
        } else if (candidate.choice() instanceof Candidate.Composite composite) {
            CompositeJson.encode(composite, json);
        } else {
            encode((Dynamic) candidate.choice(), json.putObject("dynamic"));
        }
        return json;
    }

    private static void encode(Dynamic dynamic, ObjectNode json) {
        json.put("metric", name(dynamic.metric()));
        if (!dynamic.bounds().isEmpty()) {
            ObjectNode bounds = json.putObject("bounds");
            dynamic.bounds().forEach((metric, most) -> bounds.put(bound(metric), most));
        }
        Affinity affinity = dynamic.affinity();
        if (!affinity.equals(Affinity.ANY)) {
            ObjectNode colors = json.putObject("affinity");
            put(colors, "includeAny", affinity.includeAny());
            put(colors, "includeAll", affinity.includeAll());
            put(colors, "excludeAny", affinity.excludeAny());
        }
        IncludeJson.encode(dynamic.include(), json);
        dynamic.demand().ifPresent(demand -> DemandJson.encode(demand, json));
        if (!dynamic.disjointFrom().isEmpty() || dynamic.twin().isPresent()) {
            ArrayNode apart = json.putArray("disjointFrom");
            dynamic.disjointFrom()
                    .forEach(one -> apart.addObject()
                            .put("policy", one.policy())
                            .put("share", one.share().spelling()));
            dynamic.twin().ifPresent(twin -> TwinJson.encode(twin, apart));
        }
        Exclude exclude = dynamic.exclude();
        if (!exclude.equals(Exclude.NOTHING)) {
            ObjectNode places = json.putObject("exclude");
            put(places, "nodes", exclude.nodes().stream().map(Waypoint::text).toList());
            put(places, "links", exclude.links());
            if (!exclude.srlgs().isEmpty()) {
                ArrayNode groups = places.putArray("srlg");
                exclude.srlgs().forEach(groups::add);
            }
        }
    }

    private static void put(ObjectNode json, String name, List<String> texts) {
        if (!texts.isEmpty()) {
            ArrayNode array = json.putArray(name);
            texts.forEach(array::add);
        }
    }
}
