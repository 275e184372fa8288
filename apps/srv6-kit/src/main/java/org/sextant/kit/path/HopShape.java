// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.path;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.json.Fields;
import org.sextant.core.json.JsonInput;
import org.sextant.core.shape.NamedSchemas;
import org.sextant.core.shape.Shape;

/** The declaration of one hop; a bare string is a strict node. */
public final class HopShape implements Shape<Hop> {
    public static final HopShape HOP = new HopShape();

    private static final List<String> KINDS = List.of("node", "link", "sid", "usids", "firewall", "policy");

    /** The arguments that have names. */
    private static final List<String> ARGS = List.of("goNext", "skipNext", "goLast");

    private static final String FIREWALL = "give the id of a firewall";

    private HopShape() {}

    @Override
    public Optional<Hop> read(JsonInput input) {
        if (input.node().isTextual()) {
            return input.parsed(
                    "give a node's name, its uSID such as 0x0200 or its SID",
                    text -> new Hop.ToNode(new Waypoint(text), false));
        }
        Fields hop = new Fields(input.node(), input.pointer(), input.problems());
        List<String> given = KINDS.stream().filter(hop::has).toList();
        boolean loose = hop.bool("loose", given.contains("sid") || given.contains("usids"));
        Optional<Hop> value = Optional.empty();
        if (given.size() == 1) {
            value = decode(given.get(0), hop, loose);
        } else if (input.node().isObject()) {
            hop.has("block");
            hop.has("args");
            hop.invalid(
                    input.pointer(),
                    given.isEmpty()
                            ? "a hop names nothing to go to"
                            : "a hop is one thing, not " + String.join(" and ", given),
                    "give one of " + String.join(", ", KINDS));
        }
        hop.finish();
        return value;
    }

    private static Optional<Hop> decode(String kind, Fields hop, boolean loose) {
        return switch (kind) {
            case "node" ->
                hop.parsed(
                        "node",
                        "give a node's name, its uSID such as 0x0200 or its SID",
                        text -> new Hop.ToNode(new Waypoint(text), loose));
            case "link" ->
                hop.parsed("link", "write p7-p6, or with ports p7/2-p6/3", text -> new Hop.OverLink(text, loose));
            case "sid" ->
                hop.parsed(
                        "sid",
                        "give one SID, such as fcbb:bbbb:700::",
                        text -> new Hop.RawSid(Ipv6.parse(text), loose));
            case "firewall" -> firewall(hop, loose).map(Hop.class::cast);
            case "policy" -> hop.parsed("policy", "give the id of a policy", text -> new Hop.Binding(text, loose));
            default -> usids(hop, loose);
        };
    }

    /** A firewall in a field beside its node; a bare string is its id. */
    public static Optional<Hop.Firewall> firewall(JsonNode json, String at, Fields fields) {
        if (json.isTextual()) {
            return fields.parse(json.textValue(), at, FIREWALL, text -> new Hop.Firewall(text, 0, true));
        }
        Fields one = new Fields(json, at, fields.problems());
        one.require("firewall", FIREWALL);
        Optional<Hop.Firewall> firewall = firewall(one, true);
        one.finish();
        return firewall;
    }

    private static Optional<Hop.Firewall> firewall(Fields hop, boolean loose) {
        Optional<Integer> args = hop.node("args").map(node -> args(node, hop)).orElse(Optional.of(0));
        return hop.parsed("firewall", FIREWALL, text -> new Hop.Firewall(text, args.orElse(0), loose))
                .filter(any -> args.isPresent());
    }

    private static Optional<Integer> args(JsonNode json, Fields hop) {
        if (json.isInt() && json.intValue() >= 0 && json.intValue() <= Hop.Firewall.MAX_ARGS) {
            return Optional.of(json.intValue());
        }
        int word = json.isTextual() ? ARGS.indexOf(json.textValue()) : -1;
        if (word < 0) {
            hop.invalid(
                    hop.pointer("args"),
                    Fields.describe(json) + " says nothing to a firewall",
                    "write goNext, skipNext, goLast, or a number from 0 to " + Hop.Firewall.MAX_ARGS);
        }
        return word < 0 ? Optional.empty() : Optional.of(word);
    }

    /** The shape of traffic generators: a block and uSIDs of four or eight hexadecimal digits. */
    private static Optional<Hop> usids(Fields hop, boolean loose) {
        hop.require("block", "give the locator block, such as fcbb:bbbb::/32");
        Optional<IpPrefix> block = hop.parsed("block", "give an IPv6 prefix, such as fcbb:bbbb::/32", HopShape::block);
        int before = hop.problems().size();
        List<String> texts =
                hop.list("usids", (node, at) -> hop.asText(node, at).flatMap(text -> usid(text, at, block, hop)));
        if (block.isEmpty() || texts.isEmpty() || hop.problems().size() > before) {
            if (hop.problems().size() == before && block.isPresent()) {
                hop.invalid(hop.pointer("usids"), "there is no uSID", "give one at least");
            }
            return Optional.empty();
        }
        int digits = texts.stream().mapToInt(String::length).max().getAsInt() > 4 ? 8 : 4;
        List<Long> usids = texts.stream().map(text -> Long.parseLong(text, 16)).toList();
        return Optional.of(new Hop.Usids(block.get(), usids, 4 * digits, loose));
    }

    private static IpPrefix block(String text) {
        IpPrefix block = IpPrefix.parse(text);
        if (!block.isIpv6()) {
            throw new IllegalArgumentException(text + " is not an IPv6 prefix");
        }
        return block;
    }

    private static Optional<String> usid(String text, String at, Optional<IpPrefix> block, Fields hop) {
        String digits = text.startsWith("0x") ? text.substring(2) : text;
        if (text.indexOf(':') >= 0) {
            hop.invalid(
                    at,
                    "two blocks in one container: " + Fields.shorten(text)
                            + " is a whole SID, but the list's uSIDs share the block "
                            + block.map(IpPrefix::toString).orElse(""),
                    "give it as a hop of its own: {\"sid\": \"" + Fields.shorten(text) + "\"}");
        } else if (!digits.matches("[0-9a-fA-F]{1,8}")) {
            hop.invalid(
                    at,
                    "\"" + Fields.shorten(text) + "\" is not a uSID",
                    "write four hexadecimal digits, or eight in a format of 32-bit uSIDs");
        } else if (Long.parseLong(digits, 16) == 0) {
            hop.invalid(at, "uSID 0 is no node: it ends a container (RFC 9800, 4.1)", "give a uSID from 1 on");
        } else {
            return Optional.of(digits);
        }
        return Optional.empty();
    }

    @Override
    public ObjectNode write(Hop hop) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        if (hop instanceof Hop.ToNode node) {
            json.put("node", node.node().text());
        } else if (hop instanceof Hop.OverLink link) {
            json.put("link", link.link());
        } else if (hop instanceof Hop.RawSid raw) {
            json.put("sid", raw.sid().toString());
        } else if (hop instanceof Hop.Usids list) {
            json.put("block", list.block().toString());
            ArrayNode usids = json.putArray("usids");
            list.usids().forEach(usid -> usids.add(String.format("%0" + list.usidLength() / 4 + "x", usid)));
        }
        if (hop instanceof Hop.Binding binding) {
            json.put("policy", binding.policy());
        }
        if (hop instanceof Hop.Firewall firewall) {
            json.put("firewall", firewall.id());
            if (firewall.args() < ARGS.size()) {
                json.put("args", ARGS.get(firewall.args()));
            } else {
                json.put("args", firewall.args());
            }
        }
        return json.put("loose", hop.loose());
    }

    @Override
    public ObjectNode schema(NamedSchemas named) {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        ArrayNode forms = schema.putArray("oneOf");
        forms.addObject().put("type", "string").put("description", "a node, its uSID or its SID");
        forms.addObject()
                .put("type", "object")
                .put("description", "a hop as in policies: node, link, sid or block and usids");
        return schema;
    }
}
