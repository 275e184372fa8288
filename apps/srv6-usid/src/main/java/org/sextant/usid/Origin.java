// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.json.Fields;

/**
 * The origin of a candidate path.
 *
 * @param protocol the Protocol-Origin (RFC 9256, 2.3), 0 to 255; of equal preferences the higher one is active
 * @param asn of the originator (RFC 9256, 2.4), 32 bits
 * @param node its address; an IPv4 one in the lowest 32 bits
 */
public record Origin(int protocol, long asn, Ipv6 node) {
    public static final int CONFIGURATION = 30;
    private static final int MOST = 255;

    /** RFC 9256, table 1. */
    private static final Map<String, Integer> NAMES = Map.of("pcep", 10, "bgp", 20, "configuration", CONFIGURATION);

    /** The origin of configured candidate paths: 0:0. */
    public static final Origin DEFAULT = new Origin(CONFIGURATION, 0, Ipv6.ZERO);

    /** Orders by AS number, then address, as 160 bits compare (RFC 9256, 2.4). */
    static final Comparator<Origin> LOWER_ORIGINATOR =
            Comparator.comparingLong(Origin::asn).thenComparing(Origin::node);

    public Origin {
        if (protocol < 0 || protocol > MOST || asn < 0 || asn > Candidate.MAX) {
            throw new IllegalArgumentException("a protocol origin has 8 bits, an AS number 32");
        }
    }

    /** The originator in text: {@code 65001:192.0.2.1}, {@code 0:0}. */
    public String originator() {
        boolean v4 = node.high() == 0 && node.low() >>> 32 == 0;
        return asn + ":" + (node.isZero() ? "0" : v4 ? new Ipv4((int) node.low()).toString() : node.toString());
    }

    /** The protocol's name, or its number where it has none. */
    public String spelling() {
        return NAMES.entrySet().stream()
                .filter(one -> one.getValue() == protocol)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(String.valueOf(protocol));
    }

    static Origin decode(Fields candidate) {
        int protocol = candidate
                .node("protocolOrigin")
                .flatMap(node -> protocol(node, candidate))
                .orElse(CONFIGURATION);
        return candidate
                .parsed(
                        "originator",
                        "write an AS number and an address of the node: 65001:192.0.2.1",
                        text -> from(protocol, text))
                .orElse(new Origin(protocol, 0, Ipv6.ZERO));
    }

    private static Optional<Integer> protocol(JsonNode node, Fields candidate) {
        Optional<Integer> number = node.isTextual()
                ? Optional.ofNullable(NAMES.get(node.textValue().toLowerCase(Locale.ROOT)))
                : Optional.of(node)
                        .filter(one -> one.isIntegralNumber() && one.canConvertToInt())
                        .map(JsonNode::intValue)
                        .filter(one -> one >= 0 && one <= MOST);
        if (number.isEmpty()) {
            candidate.invalid(
                    candidate.pointer("protocolOrigin"),
                    "a protocol origin is pcep, bgp, configuration or a number from 0 to 255, not "
                            + Fields.describe(node),
                    "leave it out for configuration");
        }
        return number;
    }

    private static Origin from(int protocol, String text) {
        int colon = text.indexOf(':');
        String asn = colon < 0 ? "" : text.substring(0, colon);
        if (!asn.matches("\\d{1,10}") || Long.parseLong(asn) > Candidate.MAX) {
            throw new IllegalArgumentException(
                    "\"" + Fields.shorten(text) + "\" does not begin with an AS number of 32 bits and a colon");
        }
        String node = text.substring(colon + 1);
        IpAddress address = node.equals("0") ? Ipv6.ZERO : IpAddress.parse(node);
        return new Origin(
                protocol,
                Long.parseLong(asn),
                address instanceof Ipv4 v4 ? new Ipv6(0, Integer.toUnsignedLong(v4.value())) : (Ipv6) address);
    }

    /** Omits fields with default values. */
    void encode(ObjectNode json) {
        if (protocol != CONFIGURATION) {
            if (NAMES.containsValue(protocol)) {
                json.put("protocolOrigin", spelling());
            } else {
                json.put("protocolOrigin", protocol);
            }
        }
        if (asn != 0 || !node.isZero()) {
            json.put("originator", originator());
        }
    }
}
