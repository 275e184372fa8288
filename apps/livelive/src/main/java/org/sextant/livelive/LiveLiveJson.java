// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sextant.core.ProblemException;
import org.sextant.core.json.Fields;
import org.sextant.kit.Endpoint;
import org.sextant.kit.Family;
import org.sextant.livelive.path.DisjointPaths;
import org.sextant.livelive.path.Disjointness;

/**
 * The JSON form of flows, both ways. Reading is strict and reports every problem with its JSON pointer; writing is
 * canonical, defaults written out, so that a stored flow keeps its meaning should a default ever change.
 */
public final class LiveLiveJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String AS_MANY = "disjoint";
    private static final String NODE_REMEDY = "give a node's name";
    private static final int MOST_HOPS = 64;
    private static final Map<String, Integer> PROTOCOLS = Map.of("tcp", Traffic.TCP, "udp", Traffic.UDP);

    private LiveLiveJson() {}

    /** @throws ProblemException with every problem of the document */
    public static LiveLive decode(JsonNode json) {
        Fields fields = new Fields(json, "", new ArrayList<>());
        Optional<String> name = fields.parsed(
                "name", "begin with a letter, go on with letters, digits, '.', '_', '-', 63 at most", text -> {
                    LiveLive.checkName(text);
                    return text;
                });
        Optional<Endpoint> from = endpoint(fields, "from");
        Optional<Endpoint> to = endpoint(fields, "to");
        Traffic traffic = traffic(fields);
        Optional<Family> family = fields.word("family", List.of(Family.values()), Family::spelling);
        boolean symmetric = fields.word("symmetry", List.of(true, false), LiveLiveJson::symmetry)
                .orElse(false);
        Optional<Wish> wish = wish(fields);
        Optional<String> ingress = fields.parsed("ingress", NODE_REMEDY, LiveLiveJson::node);
        Optional<String> egress = fields.parsed("egress", NODE_REMEDY, LiveLiveJson::node);
        fields.finishOrThrow();
        return new LiveLive(
                name,
                from.orElseThrow(),
                to.orElseThrow(),
                traffic,
                family,
                symmetric,
                wish.orElseThrow(),
                ingress,
                egress);
    }

    private static String symmetry(boolean symmetric) {
        return symmetric ? "symmetric" : "one-way";
    }

    private static String node(String text) {
        if (!text.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}")) {
            throw new IllegalArgumentException("\"" + Fields.shorten(text) + "\" is not a node's name");
        }
        return text;
    }

    private static Optional<Endpoint> endpoint(Fields fields, String name) {
        fields.require(name, "give a host's name, an address or a prefix");
        return fields.parsed(name, "give a host's name, an address or a prefix", Endpoint::parse);
    }

    private static Traffic traffic(Fields fields) {
        Optional<Integer> protocol = fields.node("protocol").flatMap(node -> protocol(node, fields));
        Optional<Integer> source = port(fields, "sourcePort");
        Optional<Integer> destination = port(fields, "destinationPort");
        boolean ports = source.isPresent() || destination.isPresent();
        if (ports && protocol.filter(PROTOCOLS::containsValue).isEmpty()) {
            fields.invalid(
                    fields.pointer(source.isPresent() ? "sourcePort" : "destinationPort"),
                    "only TCP and UDP have ports",
                    "write \"protocol\": \"tcp\" or \"udp\", or leave the ports out");
            return Traffic.ALL;
        }
        return new Traffic(protocol, source, destination);
    }

    private static Optional<Integer> protocol(JsonNode node, Fields fields) {
        if (node.isTextual() && PROTOCOLS.containsKey(node.textValue())) {
            return Optional.of(PROTOCOLS.get(node.textValue()));
        }
        if (node.isIntegralNumber() && node.canConvertToInt() && node.intValue() >= 0 && node.intValue() <= 255) {
            return Optional.of(node.intValue());
        }
        fields.invalid(
                fields.pointer("protocol"),
                "\"protocol\" is " + Fields.describe(node) + ", which is no IP protocol",
                "write \"tcp\", \"udp\" or a number from 0 to 255");
        return Optional.empty();
    }

    private static Optional<Integer> port(Fields fields, String name) {
        int port = (int) fields.integer(name, 1, 65535, 0);
        return port == 0 ? Optional.empty() : Optional.of(port);
    }

    private static Optional<Wish> wish(Fields fields) {
        fields.require(
                "paths",
                "write a number from 2 to " + DisjointPaths.MOST + ", \"" + AS_MANY
                        + "\" for as many as are disjoint, or list the paths");
        Optional<JsonNode> paths = fields.node("paths");
        boolean terms = fields.has("disjoint") | fields.has("shortfall");
        Disjointness disjointness = fields.word("disjoint", List.of(Disjointness.values()), Disjointness::spelling)
                .orElse(Disjointness.NODE);
        Optional<Shortfall> shortfall = fields.word("shortfall", List.of(Shortfall.values()), Shortfall::spelling);
        if (paths.isEmpty()) {
            return Optional.empty();
        }
        if (paths.get().isArray()) {
            if (terms) {
                fields.invalid(
                        fields.pointer(fields.has("disjoint") ? "disjoint" : "shortfall"),
                        "the paths are given, none is looked for",
                        "leave it out, or write a number of paths");
            }
            return given(fields);
        }
        return found(paths.get(), fields, disjointness, shortfall);
    }

    private static Optional<Wish> found(
            JsonNode paths, Fields fields, Disjointness disjointness, Optional<Shortfall> shortfall) {
        if (paths.isTextual() && paths.textValue().equals(AS_MANY)) {
            if (shortfall.isPresent() && shortfall.get() != Shortfall.OFFER) {
                fields.invalid(
                        fields.pointer("shortfall"),
                        "as many paths as are disjoint never fall short",
                        "leave it out, or write a number of paths");
            }
            return Optional.of(new Wish.Found(Wish.Found.ALL, disjointness, Shortfall.OFFER));
        }
        if (paths.isIntegralNumber()
                && paths.canConvertToInt()
                && paths.intValue() >= 2
                && paths.intValue() <= DisjointPaths.MOST) {
            return Optional.of(new Wish.Found(paths.intValue(), disjointness, shortfall.orElse(Shortfall.RELAX)));
        }
        fields.invalid(
                fields.pointer("paths"),
                "\"paths\" is " + Fields.describe(paths) + ", which says neither how many nor which",
                "write a number from 2 to " + DisjointPaths.MOST + ", \"" + AS_MANY + "\", or a list of paths");
        return Optional.empty();
    }

    private static Optional<Wish> given(Fields fields) {
        int before = fields.problems().size();
        List<List<String>> paths = fields.list("paths", (node, at) -> path(node, at, fields));
        if (fields.problems().size() > before) {
            return Optional.empty();
        }
        if (paths.size() < 2 || paths.size() > DisjointPaths.MOST) {
            fields.invalid(
                    fields.pointer("paths"),
                    paths.size() + " paths are given",
                    "list 2 to " + DisjointPaths.MOST + " of them");
            return Optional.empty();
        }
        for (int i = 1; i < paths.size(); i++) {
            if (paths.subList(0, i).contains(paths.get(i))) {
                fields.invalid(fields.pointer("paths") + "/" + i, "this path is listed twice", "list it once");
            }
        }
        return Optional.of(new Wish.Given(paths));
    }

    private static Optional<List<String>> path(JsonNode node, String at, Fields fields) {
        if (!node.isArray() || node.size() < 2 || node.size() > MOST_HOPS) {
            fields.invalid(
                    at,
                    "a path is a list of 2 to " + MOST_HOPS + " nodes, not " + Fields.describe(node),
                    "write [\"ingress\", …, \"egress\"]");
            return Optional.empty();
        }
        List<String> hops = new ArrayList<>();
        for (int i = 0; i < node.size(); i++) {
            String here = at + "/" + i;
            Optional<String> hop = fields.asText(node.get(i), here)
                    .flatMap(text ->
                            fields.parse(text, here, "give a node, or a link such as a/1-b/2", LiveLiveJson::hop));
            if (hop.isEmpty()) {
                return Optional.empty();
            }
            boolean between = i > 0 && i < node.size() - 1 && !isLink(hops.get(i - 1));
            if (isLink(hop.get()) && !between) {
                fields.invalid(
                        here,
                        "link " + hop.get() + " does not stand between two nodes",
                        "write the node before it and the one behind it");
                return Optional.empty();
            }
            if (hops.contains(hop.get())) {
                fields.invalid(here, "the path comes to " + hop.get() + " twice", "leave the circle out");
                return Optional.empty();
            }
            hops.add(hop.get());
        }
        return Optional.of(hops);
    }

    private static boolean isLink(String hop) {
        return hop.indexOf('/') >= 0;
    }

    private static String hop(String text) {
        if (!text.matches("[A-Za-z0-9][A-Za-z0-9._/-]{0,160}")) {
            throw new IllegalArgumentException("\"" + Fields.shorten(text) + "\" is neither a node nor a link");
        }
        return text;
    }

    /** Canonical: the same fields in the same order for equal flows. */
    public static ObjectNode encode(LiveLive flow) {
        ObjectNode json = NODES.objectNode();
        flow.name().ifPresent(name -> json.put("name", name));
        json.put("from", flow.from().toString()).put("to", flow.to().toString());
        flow.traffic().protocol().ifPresent(protocol -> protocol(json, protocol));
        flow.traffic().sourcePort().ifPresent(port -> json.put("sourcePort", port));
        flow.traffic().destinationPort().ifPresent(port -> json.put("destinationPort", port));
        flow.family().ifPresent(family -> json.put("family", family.spelling()));
        json.put("symmetry", symmetry(flow.symmetric()));
        if (flow.wish() instanceof Wish.Given given) {
            ArrayNode paths = json.putArray("paths");
            given.paths().forEach(path -> {
                ArrayNode hops = paths.addArray();
                path.forEach(hops::add);
            });
        } else {
            encode((Wish.Found) flow.wish(), json);
        }
        flow.ingress().ifPresent(node -> json.put("ingress", node));
        flow.egress().ifPresent(node -> json.put("egress", node));
        return json;
    }

    private static void protocol(ObjectNode json, int protocol) {
        Optional<String> word = PROTOCOLS.entrySet().stream()
                .filter(entry -> entry.getValue() == protocol)
                .map(Map.Entry::getKey)
                .findFirst();
        word.ifPresentOrElse(name -> json.put("protocol", name), () -> json.put("protocol", protocol));
    }

    private static void encode(Wish.Found found, ObjectNode json) {
        if (found.paths() == Wish.Found.ALL) {
            json.put("paths", AS_MANY);
        } else {
            json.put("paths", found.paths());
        }
        json.put("disjoint", found.disjointness().spelling())
                .put("shortfall", found.shortfall().spelling());
    }
}
