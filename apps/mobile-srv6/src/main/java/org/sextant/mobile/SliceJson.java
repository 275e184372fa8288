// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import org.sextant.core.ProblemException;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.NeverForwarded;
import org.sextant.core.json.Fields;
import org.sextant.core.underlay.GtpSids.Container;
import org.sextant.kit.Family;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.HopJson;
import org.sextant.mobile.Slice.Access;
import org.sextant.mobile.Slice.Core;

/**
 * The JSON form of slices, both ways. Reading is strict and reports every problem with its JSON pointer; writing is
 * canonical, defaults written out, so that a stored slice keeps its meaning should a default ever change.
 */
public final class SliceJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String SYMMETRIC = "symmetric";
    private static final int MOST = 64;

    private SliceJson() {}

    /** @throws ProblemException with every problem of the document */
    public static Slice decode(JsonNode json) {
        Fields fields = new Fields(json, "", new ArrayList<>());
        fields.require("name", "name the slice, such as \"urllc\": the name becomes its id");
        Optional<String> name = fields.parsed("name", "begin with a letter; 31 characters at most", text -> {
            Slice.checkName(text);
            return text;
        });
        Optional<Snssai> snssai = within(fields, "snssai", SliceJson::snssai);
        List<String> dnns = few(
                fields,
                "dnns",
                (node, at) -> fields.asText(node, at)
                        .flatMap(text -> fields.parse(text, at, "write a name such as internet", SliceJson::dnn)));
        fields.require("access", "write {\"gateway\": the node next to the gNBs, \"gnbs\": [their prefixes]}");
        Optional<Access> access = within(fields, "access", SliceJson::access);
        fields.require("core", "write {\"gateway\": the node next to the UPFs, \"upfs\": [their addresses]}");
        Optional<Core> core = within(fields, "core", SliceJson::core);
        List<Hop> uplink = within(fields, "uplink", SliceJson::hops).orElse(List.of());
        Optional<List<Hop>> downlink = downlink(fields);
        Mode mode = mode(
                fields,
                !uplink.isEmpty() || downlink.filter(hops -> !hops.isEmpty()).isPresent());
        List<Match> matches = few(fields, "match", (node, at) -> match(new Fields(node, at, fields.problems())));
        boolean isDefault = fields.bool("default", false);
        Container container = fields.word("container", List.of(Container.values()), SliceJson::spelling)
                .orElse(Container.ALWAYS);
        boolean carries = fields.word("unrepresentable", List.of(true, false), SliceJson::unrepresentable)
                .orElse(true);
        boolean dropsSequence = fields.word("sequenceNumbers", List.of(true, false), SliceJson::sequenceNumbers)
                .orElse(false);
        families(fields, access, core, matches);
        fields.finishOrThrow();
        return new Slice(
                name.orElseThrow(),
                snssai,
                dnns,
                mode,
                access.orElseThrow(),
                core.orElseThrow(),
                uplink,
                downlink,
                matches,
                isDefault,
                container,
                carries,
                dropsSequence);
    }

    /** An object field, or nothing if it is not there or has problems. */
    private static <T> Optional<T> within(
            Fields fields, String name, java.util.function.Function<Fields, Optional<T>> read) {
        Optional<JsonNode> node = fields.node(name);
        if (node.isEmpty()) {
            return Optional.empty();
        }
        Fields inner = new Fields(node.get(), fields.pointer(name), fields.problems());
        int before = fields.problems().size();
        Optional<T> value = node.get().isObject() ? read.apply(inner) : Optional.empty();
        if (node.get().isObject()) {
            inner.finish();
        }
        return fields.problems().size() == before ? value : Optional.empty();
    }

    private static <T> List<T> few(Fields fields, String name, BiFunction<JsonNode, String, Optional<T>> element) {
        List<T> values = fields.list(name, element);
        if (values.size() > MOST) {
            fields.invalid(fields.pointer(name), values.size() + " are given", "list " + MOST + " at most");
        }
        return values;
    }

    private static Optional<Snssai> snssai(Fields fields) {
        fields.require("sst", "give the slice/service type, 0 to 255");
        int sst = (int) fields.integer("sst", 0, 255, 0);
        Optional<Integer> sd = fields.parsed("sd", "write six hexadecimal digits, such as \"000001\"", text -> {
            if (!text.matches("[0-9a-fA-F]{6}")) {
                throw new IllegalArgumentException(
                        "\"" + Fields.shorten(text) + "\" is not a slice differentiator of 24 bits");
            }
            return Integer.parseInt(text, 16);
        });
        return Optional.of(new Snssai(sst, sd));
    }

    private static String dnn(String text) {
        if (!text.matches("[A-Za-z0-9]([A-Za-z0-9.-]{0,98}[A-Za-z0-9])?")) {
            throw new IllegalArgumentException("\"" + Fields.shorten(text) + "\" is not the name of a data network");
        }
        return text.toLowerCase(Locale.ROOT);
    }

    private static Optional<Access> access(Fields fields) {
        Optional<String> gateway = node(fields, "gateway");
        fields.require("gnbs", "list the gNBs' addresses or prefixes");
        List<IpPrefix> gnbs = few(fields, "gnbs", (node, at) -> prefix(node, at, fields));
        return gateway.isPresent()
                        && oneFamily(
                                fields, "gnbs", gnbs.stream().map(Family::of).toList())
                ? Optional.of(new Access(gateway.get(), gnbs))
                : Optional.empty();
    }

    private static Optional<Core> core(Fields fields) {
        boolean anchor = fields.has("anchor");
        if (anchor && fields.has("gateway")) {
            fields.invalid(
                    fields.pointer("anchor"),
                    "GTP is given back at a gateway or ends at an anchor, not both",
                    "leave one of them out");
        }
        Optional<String> node = node(fields, anchor ? "anchor" : "gateway");
        fields.require("upfs", "list the addresses that gNBs send GTP-U to");
        List<IpAddress> upfs = few(
                fields,
                "upfs",
                (one, at) -> fields.asText(one, at)
                        .flatMap(text -> fields.parse(
                                text, at, "give an address", given -> NeverForwarded.refuse(IpAddress.parse(given)))));
        return node.isPresent()
                        && oneFamily(
                                fields, "upfs", upfs.stream().map(Family::of).toList())
                ? Optional.of(new Core(node.get(), anchor, upfs))
                : Optional.empty();
    }

    private static boolean oneFamily(Fields fields, String name, List<Family> families) {
        if (families.isEmpty() && fields.has(name)) {
            fields.invalid(fields.pointer(name), "\"" + name + "\" names nobody", "list one at least");
        } else if (families.stream().distinct().count() > 1) {
            fields.invalid(
                    fields.pointer(name),
                    "IPv4 and IPv6 are mixed in \"" + name + "\"",
                    "make a slice for each: GTP-U goes over one of them");
        }
        return families.stream().distinct().count() == 1;
    }

    private static Optional<String> node(Fields fields, String name) {
        fields.require(name, "give a node's name");
        return fields.parsed(name, "give a node's name", text -> {
            if (!text.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}")) {
                throw new IllegalArgumentException("\"" + Fields.shorten(text) + "\" is not a node's name");
            }
            return text;
        });
    }

    static Optional<IpPrefix> prefix(JsonNode node, String at, Fields fields) {
        return fields.asText(node, at)
                .flatMap(text -> fields.parse(text, at, "give an address or a prefix", given -> {
                    IpPrefix prefix = IpPrefix.parse(given);
                    NeverForwarded.kind(prefix).ifPresent(kind -> {
                        throw new IllegalArgumentException(
                                prefix + " is " + kind + ": packets to it are not forwarded");
                    });
                    return prefix;
                }));
    }

    private static Optional<List<Hop>> hops(Fields fields) {
        fields.require("hops", "list the nodes, links or SIDs on the way");
        return Optional.of(few(fields, "hops", (node, at) -> HopJson.decode(node, at, fields)));
    }

    private static Optional<List<Hop>> downlink(Fields fields) {
        Optional<JsonNode> node = fields.node("downlink");
        if (node.filter(JsonNode::isTextual).isPresent()) {
            fields.word("downlink", List.of(SYMMETRIC), word -> word);
            return Optional.empty();
        }
        return within(fields, "downlink", SliceJson::hops);
    }

    private static Mode mode(Fields fields, boolean hops) {
        Mode mode = fields.word("mode", List.of(Mode.values()), Mode::spelling)
                .orElse(hops ? Mode.ENHANCED : Mode.TRADITIONAL);
        if (mode == Mode.TRADITIONAL && hops) {
            fields.invalid(
                    fields.pointer("mode"),
                    "the traditional mode has one SID and no hops",
                    "write \"mode\": \"enhanced\"");
        }
        return mode;
    }

    private static Optional<Match> match(Fields fields) {
        Optional<TeidRange> teids = fields.node("teid")
                .filter(JsonNode::isIntegralNumber)
                .map(JsonNode::asText)
                .or(() -> fields.text("teid"))
                .flatMap(text -> fields.parse(
                        text, fields.pointer("teid"), "write \"0x1000-0x1fff\", or one TEID", TeidRange::parse));
        List<Integer> qfis = qfis(fields);
        Optional<IpPrefix> ue = fields.node("ue").flatMap(node -> prefix(node, fields.pointer("ue"), fields));
        Optional<IpPrefix> gnb = fields.node("gnb").flatMap(node -> prefix(node, fields.pointer("gnb"), fields));
        Optional<Integer> dscp = fields.node("dscp")
                .filter(JsonNode::isIntegralNumber)
                .map(JsonNode::asText)
                .or(() -> fields.text("dscp"))
                .flatMap(text ->
                        fields.parse(text, fields.pointer("dscp"), "write a name such as EF, or 0 to 63", Dscp::parse));
        fields.finish();
        Match match = new Match(teids, qfis, ue, gnb, dscp);
        if (match.equals(Match.ALL) && !(fields.has("teid") || fields.has("qfi"))) {
            fields.invalid(
                    fields.pointer("").replaceAll("/$", ""),
                    "a match without a field takes everything",
                    "write \"default\": true, or give teid, qfi, ue, gnb or dscp");
        }
        return Optional.of(match);
    }

    private static List<Integer> qfis(Fields fields) {
        boolean one = fields.node("qfi").filter(JsonNode::isIntegralNumber).isPresent();
        return one
                ? List.of((int) fields.integer("qfi", 0, 63, 0))
                : fields.list("qfi", (node, at) -> {
                    if (node.isIntegralNumber()
                            && node.canConvertToInt()
                            && node.intValue() >= 0
                            && node.intValue() <= 63) {
                        return Optional.of(node.intValue());
                    }
                    fields.invalid(at, Fields.describe(node) + " is not a QFI", "write a number from 0 to 63");
                    return Optional.empty();
                });
    }

    private static void families(Fields fields, Optional<Access> access, Optional<Core> core, List<Match> matches) {
        if (access.isEmpty() || core.isEmpty()) {
            return;
        }
        Family family = access.get().family();
        if (family != core.get().family()) {
            fields.invalid(
                    "/core/upfs",
                    "gNBs have " + family.spelling() + " addresses and UPFs have "
                            + core.get().family().spelling() + " ones",
                    "give addresses of one family: GTP-U goes over one of them");
        }
        for (int i = 0; i < matches.size(); i++) {
            if (matches.get(i).gnb().filter(gnb -> Family.of(gnb) != family).isPresent()) {
                fields.invalid(
                        "/match/" + i + "/gnb",
                        "the slice's gNBs have " + family.spelling() + " addresses",
                        "give one of these");
            }
        }
    }

    static String spelling(Container container) {
        return container.name().toLowerCase(Locale.ROOT);
    }

    private static String sequenceNumbers(boolean drops) {
        return drops ? "drop" : "keep";
    }

    private static String unrepresentable(boolean carries) {
        return carries ? "carry" : "discard";
    }

    /** Canonical: the same fields in the same order for equal slices. */
    public static ObjectNode encode(Slice slice) {
        ObjectNode json = NODES.objectNode().put("name", slice.name());
        slice.snssai().ifPresent(snssai -> {
            ObjectNode one = json.putObject("snssai").put("sst", snssai.sst());
            snssai.sdText().ifPresent(sd -> one.put("sd", sd));
        });
        texts(json, "dnns", slice.dnns());
        json.put("mode", slice.mode().spelling());
        texts(
                json.putObject("access").put("gateway", slice.access().gateway()),
                "gnbs",
                slice.access().gnbs());
        Core core = slice.core();
        texts(json.putObject("core").put(core.anchor() ? "anchor" : "gateway", core.node()), "upfs", core.upfs());
        if (!slice.uplink().isEmpty()) {
            hops(json.putObject("uplink"), slice.uplink());
        }
        slice.downlink()
                .ifPresentOrElse(hops -> hops(json.putObject("downlink"), hops), () -> json.put("downlink", SYMMETRIC));
        if (!slice.matches().isEmpty()) {
            ArrayNode matches = json.putArray("match");
            slice.matches().forEach(match -> matches.add(match(match)));
        }
        return json.put("default", slice.isDefault())
                .put("container", spelling(slice.container()))
                .put("unrepresentable", unrepresentable(slice.carries()))
                .put("sequenceNumbers", sequenceNumbers(slice.dropsSequence()));
    }

    private static void texts(ObjectNode json, String name, List<?> values) {
        if (!values.isEmpty()) {
            ArrayNode array = json.putArray(name);
            values.forEach(value -> array.add(value.toString()));
        }
    }

    private static void hops(ObjectNode json, List<Hop> hops) {
        ArrayNode array = json.putArray("hops");
        hops.forEach(hop -> array.add(HopJson.encode(hop)));
    }

    private static ObjectNode match(Match match) {
        ObjectNode json = NODES.objectNode();
        match.teids().ifPresent(teids -> json.put("teid", teids.toString()));
        if (!match.qfis().isEmpty()) {
            ArrayNode qfis = json.putArray("qfi");
            match.qfis().forEach(qfis::add);
        }
        match.ue().ifPresent(ue -> json.put("ue", ue.toString()));
        match.gnb().ifPresent(gnb -> json.put("gnb", gnb.toString()));
        match.dscp().ifPresent(dscp -> json.put("dscp", dscp));
        return json;
    }
}
