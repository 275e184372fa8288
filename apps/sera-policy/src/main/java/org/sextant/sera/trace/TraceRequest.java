// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.trace;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Optional;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.json.Fields;
import org.sextant.core.table.Sera;

/**
 * The request of a trace. One of {@code hex} and {@code described} is present.
 *
 * @param established the packet is of a flow in the firewalls' flow tables
 * @param policy the policy along which the packet is traced, as its host sends it; empty: the packet arrives at the
 *     firewall
 * @param path the index among the policy's paths, if it has several
 */
public record TraceRequest(
        Optional<String> hex, Optional<JsonNode> described, boolean established, Optional<String> policy, int path) {
    private static final int MOST_PATHS = 1 << 16;

    /** @throws org.sextant.core.ProblemException with all problems */
    public static TraceRequest read(JsonNode request) {
        Fields fields = new Fields(request, "", new ArrayList<>());
        Optional<String> hex = fields.text("hex");
        Optional<JsonNode> described = fields.node("packet");
        boolean established = fields.bool("established", false);
        Optional<String> policy = fields.text("policy");
        int path = (int) fields.integer("path", 0, MOST_PATHS, 0);
        if (hex.isPresent() == described.isPresent()) {
            fields.invalid(
                    "",
                    hex.isPresent() ? "the packet is given twice" : "there is no packet",
                    "give \"hex\", or \"packet\": {\"source\": …, \"destination\": …}");
        }
        if (policy.isEmpty() && fields.has("path")) {
            fields.invalid("/path", "there is no policy whose path that could be", "name the policy, too");
        }
        fields.finishOrThrow();
        return new TraceRequest(hex, described, established, policy, path);
    }

    /** The packet, as it arrives at a firewall. */
    Packet packet(Ipv6 sid, Sera sera) {
        return hex.map(text -> Packet.of(ParsedPacket.of(CapturedPacket.parse(text)), sera, established))
                .orElseGet(() -> DescribedPacket.read(described.orElseThrow(), "/packet", sid, sera, established));
    }

    /** The packet, as its host sends it. */
    HostPacket sent() {
        return hex.map(text -> HostPacket.given(text, established))
                .orElseGet(() -> DescribedPacket.sent(described.orElseThrow(), "/packet", established));
    }
}
