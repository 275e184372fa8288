// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import java.util.Comparator;
import java.util.Map;
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
    static final int MOST = 255;

    /** RFC 9256, table 1. */
    static final Map<Integer, String> NAMES = Map.of(10, "pcep", 20, "bgp", CONFIGURATION, "configuration");

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
        return NAMES.getOrDefault(protocol, String.valueOf(protocol));
    }

    /** The same originator by another protocol. */
    Origin withProtocol(int other) {
        return new Origin(other, asn, node);
    }

    /** The origin of candidate paths that are configured by the originator that {@link #originator} has written. */
    static Origin parseOriginator(String text) {
        int colon = text.indexOf(':');
        String asn = colon < 0 ? "" : text.substring(0, colon);
        if (!asn.matches("\\d{1,10}") || Long.parseLong(asn) > Candidate.MAX) {
            throw new IllegalArgumentException(
                    "\"" + Fields.shorten(text) + "\" does not begin with an AS number of 32 bits and a colon");
        }
        String node = text.substring(colon + 1);
        IpAddress address = node.equals("0") ? Ipv6.ZERO : IpAddress.parse(node);
        return new Origin(
                CONFIGURATION,
                Long.parseLong(asn),
                address instanceof Ipv4 v4 ? new Ipv6(0, Integer.toUnsignedLong(v4.value())) : (Ipv6) address);
    }
}
