// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.path;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.json.Fields;
import org.sextant.core.shape.Elements;
import org.sextant.core.shape.Field;
import org.sextant.core.shape.Flag;
import org.sextant.core.shape.Forms;
import org.sextant.core.shape.IntegerNumber;
import org.sextant.core.shape.NamedShape;
import org.sextant.core.shape.ObjectShape;
import org.sextant.core.shape.OneOf;
import org.sextant.core.shape.Shape;
import org.sextant.core.shape.Text;
import org.sextant.core.shape.Values;
import org.sextant.core.shape.Word;

/** The declaration of one hop; a bare string is a strict node. */
public final class HopShape {
    /** The arguments that have names. */
    private static final List<String> ARGUMENTS = List.of("goNext", "skipNext", "goLast");

    private static final Text<Waypoint> WAYPOINT =
            Text.parsed(Waypoint::new, "give a node's name, its uSID such as 0x0200 or its SID");
    private static final String FIREWALL_REMEDY = "give the id of a firewall";

    private static final Field<Hop.ToNode, Waypoint> NODE =
            Field.required("node", "a node's name, uSID or SID", WAYPOINT, "give a node's name", Hop.ToNode::node);
    private static final Field<Hop.ToNode, Optional<Boolean>> NODE_LOOSE = loose();
    private static final ObjectShape<Hop.ToNode> TO_NODE = ObjectShape.of(
            "a node",
            List.of(NODE, NODE_LOOSE),
            values -> new Hop.ToNode(values.get(NODE), values.get(NODE_LOOSE).orElse(false)));

    private static final Field<Hop.OverLink, String> LINK = Field.required(
            "link",
            "p7-p6, or with ports p7/2-p6/3",
            Text.parsed(text -> new Hop.OverLink(text, false).link(), "write p7-p6, or with ports p7/2-p6/3"),
            "write p7-p6, or with ports p7/2-p6/3",
            Hop.OverLink::link);
    private static final Field<Hop.OverLink, Optional<Boolean>> LINK_LOOSE = loose();
    private static final ObjectShape<Hop.OverLink> OVER_LINK = ObjectShape.of(
            "a link",
            List.of(LINK, LINK_LOOSE),
            values -> new Hop.OverLink(values.get(LINK), values.get(LINK_LOOSE).orElse(false)));

    private static final Field<Hop.RawSid, Ipv6> SID = Field.required(
            "sid",
            "one SID in full",
            Text.parsed(text -> new Hop.RawSid(Ipv6.parse(text), true).sid(), "give one SID, such as fcbb:bbbb:700::"),
            "give one SID, such as fcbb:bbbb:700::",
            Hop.RawSid::sid);
    private static final Field<Hop.RawSid, Optional<Boolean>> SID_LOOSE = loose();
    private static final ObjectShape<Hop.RawSid> RAW_SID = ObjectShape.of(
            "a SID",
            List.of(SID, SID_LOOSE),
            values -> new Hop.RawSid(values.get(SID), values.get(SID_LOOSE).orElse(true)));

    private static final Field<Hop.Usids, IpPrefix> BLOCK = Field.required(
            "block",
            "the locator block of the uSIDs, such as fcbb:bbbb::/32",
            Text.parsed(HopShape::block, "give an IPv6 prefix, such as fcbb:bbbb::/32"),
            "give the locator block, such as fcbb:bbbb::/32",
            Hop.Usids::block);
    private static final Field<Hop.Usids, List<String>> USIDS = Field.required(
            "usids",
            "uSIDs of the block in hexadecimal digits: a node's, then its local ones, then the next node's",
            Elements.of(Text.<String>parsed(Function.identity(), "write four hexadecimal digits"))
                    .atLeast(1, "there is no uSID", "give one at least"),
            "give one at least",
            HopShape::digits);
    private static final Field<Hop.Usids, Optional<Boolean>> USIDS_LOOSE = loose();
    private static final ObjectShape<Hop.Usids> USID_LIST = ObjectShape.of(
                    "uSIDs of one block, as traffic generators write them",
                    List.of(BLOCK, USIDS, USIDS_LOOSE),
                    HopShape::usids)
            .rule(HopShape::usidsOfOneBlock);

    private static final Field<Hop.Firewall, String> FIREWALL_ID = Field.required(
            "firewall",
            "the id of a firewall",
            Text.parsed(text -> new Hop.Firewall(text, 0, true).id(), FIREWALL_REMEDY),
            FIREWALL_REMEDY,
            Hop.Firewall::id);
    private static final Field<Hop.Firewall, Optional<Integer>> ARGS = Field.optional(
            "args",
            "the arguments of the firewall's SID, which rules may leave to the path; absent: goNext",
            OneOf.<Integer>otherwise(Fields::describe, "write a word or a number")
                    .form(
                            Word.of(ARGUMENTS, word -> word),
                            ARGUMENTS::indexOf,
                            args -> args < ARGUMENTS.size() ? Optional.of(ARGUMENTS.get(args)) : Optional.empty())
                    .form(IntegerNumber.between(0, Hop.Firewall.MAX_ARGS), Function.identity(), Optional::of)
                    .refusedAs(
                            node -> Fields.describe(node) + " says nothing to a firewall",
                            "write goNext, skipNext, goLast, or a number from 0 to " + Hop.Firewall.MAX_ARGS),
            firewall -> Optional.of(firewall.args()));
    private static final Field<Hop.Firewall, Optional<Boolean>> FIREWALL_LOOSE = loose();
    private static final ObjectShape<Hop.Firewall> FIREWALL_HOP = ObjectShape.of(
            "a firewall",
            List.of(FIREWALL_ID, ARGS, FIREWALL_LOOSE),
            values -> new Hop.Firewall(
                    values.get(FIREWALL_ID),
                    values.get(ARGS).orElse(0),
                    values.get(FIREWALL_LOOSE).orElse(false)));

    private static final Field<Hop.Binding, String> POLICY = Field.required(
            "policy",
            "the id of a policy: the path enters it by its binding SID, and goes on at its endpoint",
            Text.parsed(text -> new Hop.Binding(text, false).policy(), "give the id of a policy"),
            "give the id of a policy",
            Hop.Binding::policy);
    private static final Field<Hop.Binding, Optional<Boolean>> POLICY_LOOSE = loose();
    private static final ObjectShape<Hop.Binding> BINDING = ObjectShape.of(
            "a policy",
            List.of(POLICY, POLICY_LOOSE),
            values ->
                    new Hop.Binding(values.get(POLICY), values.get(POLICY_LOOSE).orElse(false)));

    /** The field that each form of a hop has, and no other one. */
    private static final List<Field<?, ?>> KINDS = List.of(NODE, LINK, SID, USIDS, FIREWALL_ID, POLICY);

    private static final ObjectShape<Hop> OBJECT = ObjectShape.of(
            "one of node, link, sid, usids, firewall and policy",
            Forms.of(Function.<Hop>identity(), HopShape::oneKind)
                    .form(values -> is(NODE, values), TO_NODE, Hop.ToNode.class)
                    .form(values -> is(LINK, values), OVER_LINK, Hop.OverLink.class)
                    .form(values -> is(SID, values), RAW_SID, Hop.RawSid.class)
                    .form(values -> is(USIDS, values), USID_LIST, Hop.Usids.class)
                    .form(values -> is(FIREWALL_ID, values), FIREWALL_HOP, Hop.Firewall.class)
                    .form(values -> is(POLICY, values), BINDING, Hop.Binding.class));

    public static final Shape<Hop> HOP = new NamedShape<>(
            "PolicyHop",
            "the next node, link or SID of a path; a bare string is a strict node",
            OneOf.<Hop>otherwise(Fields::describe, "give a node's name")
                    .form(JsonNode::isTextual, WAYPOINT, node -> new Hop.ToNode(node, false), hop -> Optional.empty())
                    .form(node -> true, OBJECT, Function.identity(), Optional::of));

    /** A firewall in a field beside its node; a bare string is its id. */
    public static final Shape<Hop.Firewall> FIREWALL = OneOf.<Hop.Firewall>otherwise(Fields::describe, FIREWALL_REMEDY)
            .form(
                    JsonNode::isTextual,
                    Text.parsed(text -> new Hop.Firewall(text, 0, true), FIREWALL_REMEDY),
                    Function.identity(),
                    firewall -> Optional.empty())
            .form(
                    node -> true,
                    ObjectShape.of(
                            "a firewall and the arguments of its SID",
                            List.of(FIREWALL_ID, ARGS),
                            values -> new Hop.Firewall(
                                    values.get(FIREWALL_ID), values.get(ARGS).orElse(0), true)),
                    Function.identity(),
                    Optional::of);

    private HopShape() {}

    private static <H extends Hop> Field<H, Optional<Boolean>> loose() {
        return Field.optional(
                "loose",
                "it need not be next to the hop before: the shortest path leads there; absent: true of sid and usids, else"
                        + " false",
                new Flag(),
                hop -> Optional.of(hop.loose()));
    }

    private static boolean is(Field<?, ?> kind, Values<Hop> values) {
        return KINDS.stream().filter(values::has).toList().equals(List.of(kind));
    }

    private static void oneKind(Values<Hop> values) {
        List<String> given = KINDS.stream().filter(values::has).map(Field::name).toList();
        if (given.size() != 1) {
            List.of(BLOCK, ARGS, NODE_LOOSE).forEach(values::has); // known, whichever hop is meant
            values.invalid(
                    given.isEmpty()
                            ? "a hop names nothing to go to"
                            : "a hop is one thing, not " + String.join(" and ", given),
                    "give one of "
                            + String.join(", ", KINDS.stream().map(Field::name).toList()));
        }
    }

    private static IpPrefix block(String text) {
        IpPrefix block = IpPrefix.parse(text);
        if (!block.isIpv6()) {
            throw new IllegalArgumentException(text + " is not an IPv6 prefix");
        }
        return block;
    }

    private static List<String> digits(Hop.Usids hop) {
        String format = "%0" + hop.usidLength() / 4 + "x";
        return hop.usids().stream().map(usid -> String.format(format, usid)).toList();
    }

    private static String digits(String text) {
        return text.startsWith("0x") ? text.substring(2) : text;
    }

    /** uSIDs of four or eight hexadecimal digits: eight if one of them has more than four. */
    private static Hop.Usids usids(Values<Hop.Usids> values) {
        List<String> texts = values.get(USIDS).stream().map(HopShape::digits).toList();
        int digits = texts.stream().mapToInt(String::length).max().orElse(0) > 4 ? 8 : 4;
        List<Long> usids = texts.stream().map(text -> Long.parseLong(text, 16)).toList();
        return new Hop.Usids(
                values.get(BLOCK), usids, 4 * digits, values.get(USIDS_LOOSE).orElse(true));
    }

    private static void usidsOfOneBlock(Values<Hop.Usids> values) {
        String block = values.find(BLOCK).map(IpPrefix::toString).orElse("");
        List<String> texts = values.find(USIDS).orElse(List.of());
        for (int i = 0; i < texts.size(); i++) {
            String text = texts.get(i);
            if (text.indexOf(':') >= 0) {
                values.invalid(
                        USIDS,
                        "/" + i,
                        "two blocks in one container: " + Fields.shorten(text)
                                + " is a whole SID, but the list's uSIDs share the block " + block,
                        "give it as a hop of its own: {\"sid\": \"" + Fields.shorten(text) + "\"}");
            } else if (!digits(text).matches("[0-9a-fA-F]{1,8}")) {
                values.invalid(
                        USIDS,
                        "/" + i,
                        "\"" + Fields.shorten(text) + "\" is not a uSID",
                        "write four hexadecimal digits, or eight in a format of 32-bit uSIDs");
            } else if (Long.parseLong(digits(text), 16) == 0) {
                values.invalid(
                        USIDS,
                        "/" + i,
                        "uSID 0 is no node: it ends a container (RFC 9800, 4.1)",
                        "give a uSID from 1 on");
            }
        }
    }
}
