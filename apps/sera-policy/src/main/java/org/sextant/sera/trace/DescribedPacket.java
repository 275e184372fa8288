// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.trace;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.sextant.core.filter.Facts;
import org.sextant.core.filter.KeyField;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.json.Fields;
import org.sextant.core.sid.Header;
import org.sextant.core.sid.Payload;
import org.sextant.core.sid.Seen;
import org.sextant.core.table.Sera;
import org.sextant.sera.IcmpType;
import org.sextant.sera.Numbers;
import org.sextant.sera.Protocols;
import org.sextant.sera.TcpFlags;

/** A packet by its fields: those of the inner packet, and optionally those of its outer header. */
final class DescribedPacket {
    private static final int NO_NEXT = 59;
    private static final int MOST_SEGMENTS = 16;

    private final Fields fields;
    private Facts facts = Facts.NONE;
    private Optional<IpAddress> source = Optional.empty();
    private Optional<IpAddress> destination = Optional.empty();

    private DescribedPacket(Fields fields) {
        this.fields = fields;
    }

    /**
     * Reads a packet.
     *
     * @param sid the outer destination, unless the JSON has another
     * @throws org.sextant.core.ProblemException with all problems
     */
    static Packet read(JsonNode json, String at, Ipv6 sid, Sera sera, boolean established) {
        DescribedPacket described = new DescribedPacket(new Fields(json, at, new ArrayList<>()));
        return described.packet(sid, sera, established);
    }

    /** Reads a packet as a host sends it, without an outer header. */
    static HostPacket sent(JsonNode json, String at, boolean established) {
        DescribedPacket described = new DescribedPacket(new Fields(json, at, new ArrayList<>()));
        described.inside(established);
        described.fields.finishOrThrow();
        return HostPacket.described(described.facts, described.destination.orElseThrow());
    }

    /** Reads the inner packet. */
    private void inside(boolean established) {
        source = address("source");
        destination = address("destination");
        if (source.isPresent()
                && destination.isPresent()
                && source.get().bits() != destination.get().bits()) {
            fields.invalid(
                    fields.pointer("destination"), "source and destination are of two families", "give one family");
        }
        boolean six = destination.map(to -> to instanceof Ipv6).orElse(true);
        transport(protocol(), six);
        facts = facts.with(KeyField.IP_VERSION, six ? 6 : 4).with(KeyField.ESTABLISHED, established ? 1 : 0);
        source.ifPresent(address -> facts = facts.with(KeyField.SRC, address));
        destination.ifPresent(address -> facts = facts.with(KeyField.DST, address));
    }

    private Packet packet(Ipv6 sid, Sera sera, boolean established) {
        inside(established);
        Optional<Ipv6> outerSource = fields.parsed("outerSource", "write an IPv6 address", Ipv6::parse);
        Optional<Ipv6> arriving = fields.parsed("destinationAddress", "write the outer destination", Ipv6::parse);
        List<Ipv6> segments = fields.list(
                "segments",
                (node, place) -> fields.asText(node, place)
                        .flatMap(text -> fields.parse(text, place, "write a SID", Ipv6::parse)));
        Optional<Header.Srh> srh = srh(segments);
        fields.finishOrThrow();
        facts = facts.with(KeyField.OUTER_SRC, outerSource.orElse(Ipv6.ZERO));
        Header header =
                new Header(arriving.orElse(sid), srh, Header.DEFAULT_HOP_LIMIT, Payload.to(destination.orElseThrow()));
        boolean whole = arriving.isPresent() || srh.isPresent();
        return new Packet(
                Seen.pushed(facts, sera, header),
                whole ? Optional.of(header) : Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private Optional<IpAddress> address(String name) {
        fields.require(name, "give the address that the packet inside has");
        return fields.parsed(name, "write an IPv4 or IPv6 address", IpAddress::parse);
    }

    private int protocol() {
        Optional<Integer> number = number("protocol", 8, Protocols::named);
        facts = facts.with(KeyField.IP_PROTOCOL, number.orElse(NO_NEXT));
        return number.orElse(NO_NEXT);
    }

    private Optional<Integer> number(String name, int bits, Function<String, OptionalInt> named) {
        Optional<JsonNode> node = fields.node(name);
        if (node.isEmpty()) {
            return Optional.empty();
        }
        String text = node.get().isIntegralNumber()
                ? node.get().asText()
                : fields.text(name).orElse("0");
        return fields.parse(text, fields.pointer(name), "write one number", given -> {
            Numbers numbers = Numbers.parse(bits, given, named);
            Numbers.Span only = numbers.taken().get(0);
            if (numbers.taken().size() > 1 || only.low() != only.high()) {
                throw new IllegalArgumentException("a packet has one " + name);
            }
            return only.low();
        });
    }

    private void transport(int protocol, boolean six) {
        Optional<Integer> sourcePort = number("sourcePort", 16, name -> OptionalInt.empty());
        Optional<Integer> destinationPort = number("destinationPort", 16, name -> OptionalInt.empty());
        if (sourcePort.isPresent() || destinationPort.isPresent()) {
            if (!Protocols.WITH_PORTS.contains(protocol)) {
                fields.invalid(
                        fields.pointer("protocol"),
                        "a packet of protocol " + protocol + " has no ports",
                        "write tcp or udp");
            }
            facts = facts.with(KeyField.SRC_PORT, sourcePort.orElse(0))
                    .with(KeyField.DST_PORT, destinationPort.orElse(0));
        }
        Optional<Integer> flags = fields.parsed("tcpFlags", "write those that are set: \"syn,ack\"", TcpFlags::bits);
        if (protocol == Protocols.TCP) {
            facts = facts.with(KeyField.TCP_FLAGS, flags.orElse(0));
        }
        fields.parsed("icmpType", "write a type and a code: \"128/0\"", text -> IcmpType.parse(text, six))
                .filter(type -> !type.negated())
                .ifPresent(type -> facts = facts.with(KeyField.ICMP_TYPE, type.type())
                        .with(KeyField.ICMP_CODE, type.code().orElse(0)));
    }

    /** Segments are in travel order, which the wire reverses. */
    private Optional<Header.Srh> srh(List<Ipv6> segments) {
        int left = (int) fields.integer("segmentsLeft", 0, segments.size(), Math.max(0, segments.size() - 1));
        long tag = fields.integer("tag", 0, 0xffff, 0);
        long flags = fields.integer("srhFlags", 0, 0xff, 0);
        if (segments.size() > MOST_SEGMENTS) {
            fields.invalid(fields.pointer("segments"), segments.size() + " are listed", "list " + MOST_SEGMENTS);
            return Optional.empty();
        }
        if (segments.isEmpty()) {
            return Optional.empty();
        }
        facts = facts.with(KeyField.SRH_TAG, tag).with(KeyField.SRH_FLAGS, flags);
        List<Ipv6> onTheWire = new ArrayList<>(segments);
        Collections.reverse(onTheWire);
        return Optional.of(new Header.Srh(onTheWire, left));
    }
}
