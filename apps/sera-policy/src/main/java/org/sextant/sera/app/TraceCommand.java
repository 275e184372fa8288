// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.sextant.northbound.cli.AppCommand;
import org.sextant.sera.Versioned;
import org.sextant.sera.trace.TraceText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code srv6:firewall-trace}. */
@Command(
        name = "firewall-trace",
        description = "Says what a firewall does with a packet, and which rule says so; sends nothing.",
        footer = {
            "",
            "Examples:",
            "  srv6:firewall-trace fw-web --from 2001:db8:1::1 --to 2001:db8:2::1 --protocol tcp --port 443",
            "  srv6:firewall-trace fw-web --policy chain --from fc00:c::1 --to fc00:d1::1 --protocol udp --port 53",
            "  srv6:firewall-trace fw-web --hex 6000000000342940fcbb…"
        })
final class TraceCommand extends AppCommand<Versioned> {
    private final FirewallApp firewalls;

    @Parameters(paramLabel = "FIREWALL", description = "The firewall's id; srv6:firewalls lists them.")
    private String id;

    @Option(names = "--hex", paramLabel = "HEX", description = "The packet, as it comes to the firewall's node.")
    private @Nullable String hex;

    @Option(names = "--from", paramLabel = "ADDRESS", description = "Source of the packet inside.")
    private @Nullable String source;

    @Option(names = "--to", paramLabel = "ADDRESS", description = "Destination of the packet inside.")
    private @Nullable String destination;

    @Option(names = "--protocol", paramLabel = "PROTOCOL", description = "tcp, udp, icmpv6, … or a number.")
    private @Nullable String protocol;

    @Option(names = "--port", paramLabel = "PORT", description = "Its destination port.")
    private @Nullable String port;

    @Option(names = "--source-port", paramLabel = "PORT", description = "Its source port.")
    private @Nullable String sourcePort;

    @Option(names = "--at", paramLabel = "SID", description = "The outer destination with which it comes.")
    private @Nullable String arriving;

    @Option(names = "--established", description = "It is of a flow that the node remembers.")
    private boolean established;

    @Option(
            names = "--policy",
            paramLabel = "POLICY",
            description = "Follows the packet, as its host sends it, along this policy.")
    private @Nullable String policy;

    @Option(names = "--path", paramLabel = "N", description = "Which one of the policy's paths; 0 if it is left out.")
    private @Nullable Integer path;

    TraceCommand(FirewallApp firewalls) {
        super(firewalls);
        this.firewalls = firewalls;
    }

    @Override
    protected boolean changes() {
        return false;
    }

    @Override
    protected int run() throws IOException {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        if (hex != null) {
            request.put("hex", hex);
        } else {
            ObjectNode packet = request.putObject("packet");
            put(packet, "source", source);
            put(packet, "destination", destination);
            put(packet, "protocol", protocol);
            put(packet, "destinationPort", port);
            put(packet, "sourcePort", sourcePort);
            put(packet, "destinationAddress", arriving);
        }
        request.put("established", established);
        put(request, "policy", policy);
        if (path != null) {
            request.put("path", path);
        }
        ObjectNode answer = firewalls.trace(id, request);
        print(answer, TraceText.of(answer));
        return 0;
    }

    private static void put(ObjectNode packet, String field, @Nullable String value) {
        if (value != null) {
            packet.put(field, value);
        }
    }
}
