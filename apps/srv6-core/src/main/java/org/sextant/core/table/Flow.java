// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.Objects;
import java.util.Optional;
import org.sextant.contract.Tables;
import org.sextant.core.ip.IpPrefix;

/**
 * Packets that match are numbered and copied over the paths of a group: a Live-Live ingress
 * (docs/reference/livelive.md). Looked up before steering; the highest priority wins.
 *
 * @param source of the family of {@code destination}; length 0 matches any
 * @param ipProtocol behind the extension headers; empty matches any
 * @param sourcePort, destinationPort of TCP and UDP; 0 of everything else, and of fragments
 * @param flowId unsigned, as in the TLV; the same at the egress
 * @param group 1 or more; its sequence numbers, and its {@link Copy} rows
 * @param copies how many: the highest path number of the group
 */
public record Flow(
        int priority,
        int vrf,
        IpPrefix source,
        IpPrefix destination,
        Optional<Punt.Ternary> ipProtocol,
        Optional<Punt.Ternary> sourcePort,
        Optional<Punt.Ternary> destinationPort,
        int flowId,
        int group,
        int copies)
        implements Entry {
    public static final String TABLE_V6 = Tables.FLOW_V6.name();
    public static final String TABLE_V4 = Tables.FLOW_V4.name();

    public Flow {
        if (priority < 1) {
            throw new IllegalArgumentException("a ternary entry has a priority of 1 or more");
        }
        Range.vrf(vrf);
        if (source.isIpv6() != destination.isIpv6()) {
            throw new IllegalArgumentException(source + " and " + destination + " are of two families");
        }
        Objects.requireNonNull(ipProtocol);
        Objects.requireNonNull(sourcePort);
        Objects.requireNonNull(destinationPort);
        Range.require("group", group, 1, 0xffff);
        Range.path(copies);
    }

    @Override
    public Key key() {
        return new Key(destination.isIpv6() ? TABLE_V6 : TABLE_V4, "priority " + priority + " vrf " + vrf + " " + source + " " + destination
                + text("ip_protocol", ipProtocol) + text("l4_src_port", sourcePort) + text("l4_dst_port", destinationPort));
    }

    private static String text(String field, Optional<Punt.Ternary> value) {
        return value.map(v -> " " + field + " " + v).orElse("");
    }

    @Override
    public Stage stage() {
        return Stage.INGRESS;
    }
}
