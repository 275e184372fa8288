// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;
import org.sextant.core.json.Fields;
import org.sextant.core.json.JsonInput;
import org.sextant.core.shape.Elements;
import org.sextant.core.shape.Field;
import org.sextant.core.shape.IntegerNumber;
import org.sextant.core.shape.NamedShape;
import org.sextant.core.shape.ObjectShape;
import org.sextant.core.shape.OneOf;
import org.sextant.core.shape.Shape;
import org.sextant.core.shape.Text;
import org.sextant.core.shape.Values;
import org.sextant.core.shape.Word;
import org.sextant.core.table.FlowMatch;
import org.sextant.core.table.FlowMatch.Ports;
import org.sextant.kit.Endpoint;
import org.sextant.usid.Steering.Destination;
import org.sextant.usid.Steering.Element;
import org.sextant.usid.Steering.Flow;

/** The declaration of the traffic that a policy steers: strings are destinations, objects flows. */
final class SteeringShape {
    static final String DESCRIPTION = "destinations, and flows, whose traffic takes the path";
    static final String REMEDY = "list the prefixes, addresses or hosts whose traffic takes this path";

    private static final Map<Integer, String> PROTOCOLS =
            Map.of(6, "tcp", 17, "udp", 1, "icmp", 58, "icmpv6", 132, "sctp");

    private static final Text<Endpoint> END =
            Text.parsed(Endpoint::parse, "give a prefix, an address or a host's name");

    private static final Shape<Integer> PROTOCOL_NUMBER = OneOf.<Integer>otherwise(Fields::describe, "write a number")
            .form(
                    JsonNode::isTextual,
                    Word.of(List.of(1, 58, 132, 6, 17), PROTOCOLS::get),
                    Function.identity(),
                    number -> Optional.of(number).filter(PROTOCOLS::containsKey))
            .form(node -> true, IntegerNumber.between(1, 255), Function.identity(), Optional::of);

    private static final Shape<Ports> PORTS = new NamedShape<>(
            "Ports",
            "of TCP or UDP: one, or the first and the last of several",
            OneOf.<Ports>otherwise(Fields::describe, "write a port")
                    .form(
                            node -> !node.isTextual(),
                            IntegerNumber.between(1, Ports.MAX),
                            port -> new Ports(port, port),
                            ports -> Optional.of(ports.first()).filter(first -> first == ports.last()))
                    .form(
                            JsonNode::isTextual,
                            Text.parsed(Ports::parse, "write a port, or the first and the last one: \"5000-5999\"")
                                    .described("[0-9]{1,5}(-[0-9]{1,5})?"),
                            Function.identity(),
                            Optional::of));

    private static final Field<SteeredFlow, Optional<Endpoint>> SOURCE =
            Field.optional("source", "a prefix, an address or a host; absent: any", END, SteeredFlow::source);
    private static final Field<SteeredFlow, Optional<Endpoint>> DESTINATION = Field.optional(
            "destination",
            "a prefix, an address or a host; absent: any but SIDs, behind the last node of the path",
            END,
            SteeredFlow::destination);
    private static final Field<SteeredFlow, Optional<Integer>> PROTOCOL = Field.optional(
            "protocol",
            "the IP protocol, by name or number; absent: any",
            PROTOCOL_NUMBER,
            flow -> flow.protocol().stream().boxed().findFirst());
    private static final Field<SteeredFlow, Optional<Ports>> SOURCE_PORT =
            Field.optional("sourcePort", "of TCP or UDP; absent: any", PORTS, SteeredFlow::sourcePorts);
    private static final Field<SteeredFlow, Optional<Ports>> DESTINATION_PORT =
            Field.optional("destinationPort", "of TCP or UDP; absent: any", PORTS, SteeredFlow::destinationPorts);
    private static final Field<SteeredFlow, Optional<Integer>> DSCP = Field.optional(
            "dscp",
            "the DSCP; absent: any",
            IntegerNumber.between(0, 63),
            flow -> flow.dscp().stream().boxed().findFirst());
    private static final Field<SteeredFlow, Integer> PRIORITY = Field.standard(
                    "priority",
                    "a packet takes the matching flow of highest priority, of equal ones that which matches more of its"
                            + " bits; absent: 0",
                    IntegerNumber.between(0, SteeredFlow.MAX_PRIORITY),
                    0,
                    SteeredFlow::priority)
            .writtenUnlessDefault();

    private static final ObjectShape<SteeredFlow> FLOW = ObjectShape.of(
                    "packets that match all of it, looked up before any destination (RFC 9256, 8.6); at least one of source,"
                            + " protocol and dscp",
                    List.of(SOURCE, DESTINATION, PROTOCOL, SOURCE_PORT, DESTINATION_PORT, DSCP, PRIORITY),
                    SteeringShape::flow)
            .rule(SteeringShape::moreThanDestination)
            .named("SteeredFlow");

    private static final Shape<Element> ELEMENT = OneOf.<Element>otherwise(Fields::describe, REMEDY)
            .form(
                    node -> !node.isObject(),
                    END,
                    Destination::new,
                    element -> element instanceof Destination to ? Optional.of(to.endpoint()) : Optional.empty())
            .form(
                    JsonNode::isObject,
                    FLOW,
                    Flow::new,
                    element -> element instanceof Flow of ? Optional.of(of.flow()) : Optional.empty());

    static final Shape<Steering> STEERING = Elements.of(ELEMENT)
            .atLeast(1, "nothing is steered", "list a prefix, an address or a host at least")
            .rule(SteeringShape::once)
            .as(Steering::of, Steering::elements);

    private SteeringShape() {}

    /** A flow at index 0: the list moves it to its own. */
    private static SteeredFlow flow(Values<SteeredFlow> values) {
        return new SteeredFlow(
                0,
                values.get(PRIORITY),
                values.get(SOURCE),
                values.get(DESTINATION),
                number(values.get(PROTOCOL)),
                values.get(SOURCE_PORT),
                values.get(DESTINATION_PORT),
                number(values.get(DSCP)));
    }

    private static OptionalInt number(Optional<Integer> value) {
        return value.stream().mapToInt(Integer::intValue).findFirst();
    }

    private static void moreThanDestination(Values<SteeredFlow> values) {
        boolean source = values.has(SOURCE_PORT);
        if (source || values.has(DESTINATION_PORT)) {
            Optional<OptionalInt> protocol = values.find(PROTOCOL).map(SteeringShape::number);
            if (protocol.isPresent() && !FlowMatch.hasPorts(protocol.get())) {
                values.invalid(
                        source ? SOURCE_PORT : DESTINATION_PORT,
                        "only TCP and UDP have ports",
                        "write \"protocol\": \"tcp\" or \"udp\"");
            }
        } else if (Stream.of(SOURCE, PROTOCOL, DSCP).noneMatch(values::has)) {
            values.invalid(
                    "a flow is more than a destination",
                    "give source, protocol or dscp, or write the destination as a string");
        }
    }

    private static void once(List<Optional<Element>> elements, List<JsonInput> inputs) {
        List<Element> before = new ArrayList<>();
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i).isPresent()) {
                Element element = elements.get(i).get();
                if (element instanceof Destination destination && before.contains(destination)) {
                    inputs.get(i).invalid(destination.endpoint() + " is listed twice", "list it once");
                }
                if (element instanceof Flow flow && before.stream().anyMatch(other -> repeats(flow, other))) {
                    inputs.get(i).invalid("the same flow is listed twice", "list it once");
                }
                before.add(element);
            }
        }
    }

    private static boolean repeats(Flow flow, Element other) {
        return other instanceof Flow earlier && flow.flow().repeats(earlier.flow());
    }
}
