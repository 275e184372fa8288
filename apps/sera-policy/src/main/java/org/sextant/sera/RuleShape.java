// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import org.sextant.core.json.Fields;
import org.sextant.core.shape.Elements;
import org.sextant.core.shape.Field;
import org.sextant.core.shape.Flag;
import org.sextant.core.shape.NumberOrText;
import org.sextant.core.shape.ObjectShape;
import org.sextant.core.shape.Text;
import org.sextant.core.shape.Values;
import org.sextant.core.shape.Word;
import org.sextant.kit.Family;

/** The declaration of a firewall's rules. */
final class RuleShape {
    static final Word<Verb> ACTION_WORD = Word.of(List.of(Verb.values()), Verb::spelling);

    private static final Text<Peer> PEER =
            Text.parsed(Peer::parse, "write a prefix or \"group:NAME\", with ! in front for all others");

    private static final Field<Rule, Optional<String>> NAME =
            Field.optional("name", "unique among the rules", FirewallShape.name("rule"), Rule::name);
    private static final Field<Rule, Optional<Family>> FAMILY = Field.optional(
            "family",
            "address family of the inner packet; absent: both, as far as the addresses are",
            Word.of(List.of(Family.values()), Family::spelling),
            Rule::family);
    private static final Field<Rule, List<Peer>> SOURCE = peers("source", "source of the inner packet", Rule::source);
    private static final Field<Rule, List<Peer>> DESTINATION =
            peers("destination", "destination of the inner packet", Rule::destination);
    private static final Field<Rule, Optional<Numbers>> PROTOCOL = Field.optional(
            "protocol",
            "behind the extension headers of the inner packet: tcp, udp, icmp, icmpv6, \"tcp,udp\", \"!6\"",
            numbers(8, Protocols::named, Protocols::text),
            Rule::protocol);
    private static final Field<Rule, Optional<Numbers>> SOURCE_PORTS =
            numbers("sourcePorts", "source ports", 16, Rule::sourcePorts);
    private static final Field<Rule, Optional<Numbers>> DESTINATION_PORTS =
            numbers("destinationPorts", "destination ports", 16, Rule::destinationPorts);
    private static final Field<Rule, Optional<TcpFlags>> TCP_FLAGS = Field.optional(
            "tcpFlags",
            "the compared flags, and those of them that are set: \"fin,syn,rst,ack/syn\", ! in front for all others",
            Text.parsed(TcpFlags::parse, "write those looked at and those set: \"syn,ack/syn\""),
            Rule::tcpFlags);
    private static final Field<Rule, Optional<IcmpType>> ICMP_TYPE = Field.optional(
                    "icmpType",
                    "a type, or a type and a code: \"128\", \"1/4\", \"echo-request\", \"!8/0\"",
                    icmpType(false),
                    Rule::icmpType)
            .depending(values -> icmpType(isIpv6(values)).as(Optional::of, Optional::orElseThrow));
    private static final Field<Rule, Optional<SrhMatch>> SRH =
            Field.optional("srh", "match on the segment routing header", SrhShape.SRH, Rule::srh);
    private static final Field<Rule, List<Peer>> OUTER_SOURCE =
            peers("outerSource", "source of the outer header", Rule::outerSource);
    private static final Field<Rule, Optional<Numbers>> ARGS =
            numbers("args", "arguments of the firewall's SID", 16, Rule::args);
    private static final Field<Rule, Optional<Boolean>> ESTABLISHED = Field.optional(
            "state",
            "state of the packet's flow, on Linux",
            Elements.of(Word.either("established", "new")
                            .refusedAs(
                                    node -> Fields.shorten(node.toString()) + " is neither \"established\" nor \"new\"",
                                    "flows are remembered by both of their ends, and nothing else"))
                    .sized(
                            1,
                            1,
                            count -> count == 0
                                    ? "\"state\" names none"
                                    : "every packet is of an established flow or a new one",
                            count -> "write [\"established\"] or [\"new\"], or leave it out")
                    .as(states -> states.get(0), List::of),
            Rule::established);
    private static final Field<Rule, Verb> ACTION = Field.required(
            "action",
            "accept or drop; in the advanced mode also another",
            ACTION_WORD,
            "write \"accept\" or \"drop\"",
            Rule::verb);
    private static final Field<Rule, Boolean> LOG = Field.standard(
                    "log", "true: the node logs each packet that the rule matches", new Flag(), false, Rule::log)
            .writtenUnlessDefault();

    static final ObjectShape<Rule> RULE = ObjectShape.of(
                    "a rule of a firewall; a packet has to match all fields",
                    List.of(
                            NAME,
                            FAMILY,
                            SOURCE,
                            DESTINATION,
                            PROTOCOL,
                            SOURCE_PORTS,
                            DESTINATION_PORTS,
                            TCP_FLAGS,
                            ICMP_TYPE,
                            SRH,
                            OUTER_SOURCE,
                            ARGS,
                            ESTABLISHED,
                            ACTION,
                            LOG),
                    values -> new Rule(
                            values.get(NAME),
                            values.get(FAMILY),
                            values.get(SOURCE),
                            values.get(DESTINATION),
                            values.get(PROTOCOL),
                            values.get(SOURCE_PORTS),
                            values.get(DESTINATION_PORTS),
                            values.get(TCP_FLAGS),
                            values.get(ICMP_TYPE),
                            values.get(SRH),
                            values.get(OUTER_SOURCE),
                            values.get(ARGS),
                            values.get(ESTABLISHED),
                            values.get(ACTION),
                            values.get(LOG)))
            .otherwise(node -> "a rule is an object, not " + Fields.describe(node), "write {\"action\": \"accept\"}")
            .named("FirewallRule");

    private RuleShape() {}

    /** Numbers of a field of packets that has {@code bits}. */
    static <O> Field<O, Optional<Numbers>> numbers(
            String name, String description, int bits, Function<O, Optional<Numbers>> getter) {
        return Field.optional(
                name,
                description + ": \"53\", \"53,5353-5360\", \">=1\", \"!80\"",
                numbers(bits, unknown -> OptionalInt.empty(), Numbers::toString),
                getter);
    }

    static NumberOrText<Numbers> numbers(
            int bits, Function<String, OptionalInt> named, Function<Numbers, String> spelling) {
        return NumberOrText.of(
                Text.parsed(
                                text -> Numbers.parse(bits, text, named),
                                "write numbers as \"53\", \"53,5353-5360\", \">=1\" or \"!80\"")
                        .spelled(spelling),
                0,
                (1L << bits) - 1);
    }

    private static Field<Rule, List<Peer>> peers(String name, String description, Function<Rule, List<Peer>> getter) {
        return Field.standard(
                        name,
                        description + ": prefixes or group:NAME, ! in front for all but those",
                        Elements.of(PEER)
                                .sized(
                                        1,
                                        Firewall.MOST_ROWS,
                                        count -> count == 0
                                                ? "\"" + name + "\" is an empty list"
                                                : count + " are listed",
                                        count -> count == 0
                                                ? "list an element, or leave it out"
                                                : "list " + Firewall.MOST_ROWS + " at most"),
                        List.<Peer>of(),
                        getter)
                .writtenUnlessDefault();
    }

    /** The names of types differ between ICMP and ICMPv6. */
    private static Text<IcmpType> icmpType(boolean ipv6) {
        return Text.parsed(text -> IcmpType.parse(text, ipv6), "write a type, or a type and a code: \"128\", \"1/4\"");
    }

    private static boolean isIpv6(Values<Rule> values) {
        return values.given(FAMILY)
                .map(Family.IPV6::equals)
                .orElseGet(() -> Protocols.within(values.given(PROTOCOL), Set.of(Protocols.ICMPV6)));
    }
}
