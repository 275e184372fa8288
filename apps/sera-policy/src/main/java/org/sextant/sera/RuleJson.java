// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.sextant.core.json.Fields;
import org.sextant.kit.Family;

/** Reads and writes the JSON form of a rule. */
final class RuleJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String RANGES = "write numbers as \"53\", \"53,5353-5360\", \">=1\" or \"!80\"";

    private final Fields fields;
    private final int before;

    private RuleJson(JsonNode json, String at, Fields all) {
        this.fields = new Fields(json, at, all.problems());
        this.before = all.problems().size();
    }

    /** Empty if it has problems. */
    static Optional<Rule> decode(JsonNode json, String at, Fields all) {
        return json.isObject() ? new RuleJson(json, at, all).rule() : notAnObject(json, at, all);
    }

    private static Optional<Rule> notAnObject(JsonNode json, String at, Fields all) {
        all.invalid(at, "a rule is an object, not " + Fields.describe(json), "write {\"action\": \"accept\"}");
        return Optional.empty();
    }

    private Optional<Rule> rule() {
        Optional<String> name = fields.parsed("name", "use letters, digits, dots, dashes; 63 at most", text -> {
            Peer.checkName("rule", text);
            return text;
        });
        Optional<Family> family = fields.word("family", List.of(Family.values()), Family::spelling);
        Optional<Numbers> protocol = numbers("protocol", 8, Protocols::named);
        fields.require("action", "write \"accept\" or \"drop\"");
        Optional<Verb> verb = fields.word("action", List.of(Verb.values()), Verb::spelling);
        List<Peer> source = peers("source");
        List<Peer> destination = peers("destination");
        Optional<Numbers> sourcePorts = numbers("sourcePorts", 16, RuleJson::unnamed);
        Optional<Numbers> destinationPorts = numbers("destinationPorts", 16, RuleJson::unnamed);
        Optional<TcpFlags> flags =
                fields.parsed("tcpFlags", "write those looked at and those set: \"syn,ack/syn\"", TcpFlags::parse);
        boolean six =
                family.map(Family.IPV6::equals).orElse(Protocols.within(protocol, java.util.Set.of(Protocols.ICMPV6)));
        Optional<IcmpType> icmp = fields.parsed(
                "icmpType", "write a type, or a type and a code: \"128\", \"1/4\"", text -> IcmpType.parse(text, six));
        Optional<SrhMatch> srh = fields.node("srh").flatMap(this::srh);
        List<Peer> outerSource = peers("outerSource");
        Optional<Numbers> args = numbers("args", 16, RuleJson::unnamed);
        Optional<Boolean> established = state();
        boolean log = fields.bool("log", false);
        fields.finish();
        if (fields.problems().size() > before) {
            return Optional.empty();
        }
        return Optional.of(new Rule(
                name,
                family,
                source,
                destination,
                protocol,
                sourcePorts,
                destinationPorts,
                flags,
                icmp,
                srh,
                outerSource,
                args,
                established,
                verb.orElseThrow(),
                log));
    }

    private static OptionalInt unnamed(String name) {
        return OptionalInt.empty();
    }

    /** Reads numbers from a text; a JSON number stands for its text. */
    private Optional<Numbers> numbers(String name, int bits, Function<String, OptionalInt> named) {
        return numbers(fields, name, bits, named);
    }

    private static Optional<Numbers> numbers(
            Fields fields, String name, int bits, Function<String, OptionalInt> named) {
        Optional<JsonNode> node = fields.node(name);
        if (node.filter(JsonNode::isIntegralNumber).isPresent()) {
            return fields.parse(
                    node.get().asText(), fields.pointer(name), RANGES, text -> Numbers.parse(bits, text, named));
        }
        return fields.parsed(name, RANGES, text -> Numbers.parse(bits, text, named));
    }

    private List<Peer> peers(String name) {
        List<Peer> peers =
                fields.list(name, (node, at) -> fields.asText(node, at).flatMap(text -> peer(fields, text, at)));
        if (peers.isEmpty()
                && fields.node(name)
                        .filter(JsonNode::isArray)
                        .filter(JsonNode::isEmpty)
                        .isPresent()) {
            fields.invalid(fields.pointer(name), "\"" + name + "\" names nobody", "list somebody, or leave it out");
        } else if (peers.size() > Firewall.MOST_ROWS) {
            fields.invalid(
                    fields.pointer(name), peers.size() + " are listed", "list " + Firewall.MOST_ROWS + " at most");
        }
        return peers;
    }

    private static Optional<Peer> peer(Fields fields, String text, String at) {
        return fields.parse(text, at, "write a prefix or \"group:NAME\", with ! in front for all others", Peer::parse);
    }

    private Optional<Boolean> state() {
        List<String> words = fields.list(
                "state",
                (node, at) -> fields.asText(node, at)
                        .flatMap(text -> fields.parse(
                                text,
                                at,
                                "flows are remembered by both of their ends, and nothing else",
                                RuleJson::state)));
        if (fields.node("state").isPresent() && words.size() != 1) {
            fields.invalid(
                    fields.pointer("state"),
                    words.isEmpty() ? "\"state\" names none" : "every packet is of an established flow or a new one",
                    "write [\"established\"] or [\"new\"], or leave it out");
        }
        return words.stream().findFirst().map("established"::equals);
    }

    private static String state(String text) {
        if (!List.of("established", "new").contains(text)) {
            throw new IllegalArgumentException(
                    "\"" + Fields.shorten(text) + "\" is neither \"established\" nor \"new\"");
        }
        return text;
    }

    private Optional<SrhMatch> srh(JsonNode json) {
        Fields srh = new Fields(json, fields.pointer("srh"), fields.problems());
        if (!json.isObject()) {
            return Optional.empty();
        }
        Optional<Boolean> present = srh.has("present") ? Optional.of(srh.bool("present", true)) : Optional.empty();
        SrhMatch match = new SrhMatch(
                present,
                numbers(srh, "nextHeader", 8, Protocols::named),
                numbers(srh, "headerLength", 8, RuleJson::unnamed),
                numbers(srh, "segmentsLeft", 8, RuleJson::unnamed),
                numbers(srh, "lastEntry", 8, RuleJson::unnamed),
                srh.parsed("flags", "write a value and a mask: \"0x08/0x08\"", SrhMatch.Flags::parse),
                numbers(srh, "tag", 16, RuleJson::unnamed),
                sid(srh, "previousSid"),
                sid(srh, "nextSid"),
                sid(srh, "lastSid"));
        srh.finish();
        if (match.equals(SrhMatch.NOTHING)) {
            srh.invalid(
                    fields.pointer("srh"), "\"srh\" asks for nothing", "write {\"present\": true}, or leave it out");
        }
        if (present.filter(there -> !there).isPresent() && match.asksForHeader()) {
            srh.invalid(
                    srh.pointer("present"),
                    "a packet without a segment routing header has no fields of one",
                    "ask for one of both");
        }
        return Optional.of(match);
    }

    private static Optional<Peer> sid(Fields fields, String name) {
        return fields.parsed(name, "write a SID or a prefix of SIDs", text -> {
            Peer peer = Peer.parse(text);
            if (peer.prefix().filter(prefix -> prefix.isIpv6()).isEmpty()) {
                throw new IllegalArgumentException("\"" + Fields.shorten(text) + "\" is no IPv6 prefix");
            }
            return peer;
        });
    }

    static ObjectNode encode(Rule rule) {
        ObjectNode json = NODES.objectNode();
        rule.name().ifPresent(name -> json.put("name", name));
        rule.family().ifPresent(family -> json.put("family", family.spelling()));
        put(json, "source", rule.source());
        put(json, "destination", rule.destination());
        rule.protocol().ifPresent(protocol -> json.put("protocol", Protocols.text(protocol)));
        put(json, "sourcePorts", rule.sourcePorts());
        put(json, "destinationPorts", rule.destinationPorts());
        put(json, "tcpFlags", rule.tcpFlags());
        put(json, "icmpType", rule.icmpType());
        rule.srh().ifPresent(srh -> json.set("srh", encode(srh)));
        put(json, "outerSource", rule.outerSource());
        put(json, "args", rule.args());
        rule.established().ifPresent(known -> json.putArray("state").add(known ? "established" : "new"));
        json.put("action", rule.verb().spelling());
        if (rule.log()) {
            json.put("log", true);
        }
        return json;
    }

    private static ObjectNode encode(SrhMatch srh) {
        ObjectNode json = NODES.objectNode();
        srh.present().ifPresent(present -> json.put("present", present));
        srh.nextHeader().ifPresent(numbers -> json.put("nextHeader", numbers.toString()));
        put(json, "headerLength", srh.headerLength());
        put(json, "segmentsLeft", srh.segmentsLeft());
        put(json, "lastEntry", srh.lastEntry());
        put(json, "flags", srh.flags());
        put(json, "tag", srh.tag());
        put(json, "previousSid", srh.previousSid());
        put(json, "nextSid", srh.nextSid());
        put(json, "lastSid", srh.lastSid());
        return json;
    }

    private static void put(ObjectNode json, String name, Optional<?> value) {
        value.ifPresent(given -> json.put(name, given.toString()));
    }

    private static void put(ObjectNode json, String name, List<Peer> peers) {
        if (!peers.isEmpty()) {
            ArrayNode texts = json.putArray(name);
            peers.forEach(peer -> texts.add(peer.toString()));
        }
    }
}
