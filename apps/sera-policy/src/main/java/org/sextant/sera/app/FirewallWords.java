// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import java.util.List;
import org.sextant.kit.app.AppWords;
import org.sextant.kit.app.Filter;
import org.sextant.kit.app.Operation;
import org.sextant.sera.Versioned;

/** The names of firewalls in REST and the shell. */
final class FirewallWords implements AppWords {
    static final List<Filter<Versioned>> FILTERS = List.of(new Filter<>(
            "node",
            "NODE",
            "the node that it is on",
            "Only on this node.",
            "on",
            false,
            text -> (firewall, network) -> text.equals(firewall.firewall().node())));

    @Override
    public String one() {
        return "firewall";
    }

    @Override
    public String many() {
        return "firewalls";
    }

    @Override
    public String plan() {
        return "SID, rows per rule, findings";
    }

    @Override
    public String conflict() {
        return "policies lead through it, or could not any more";
    }

    /** The summary also refers to the edge filter, another reason for drops. */
    @Override
    public String summary(Operation operation) {
        return operation == Operation.LIST
                ? "All firewalls with their state; what nodes have built in is at /edge"
                : AppWords.super.summary(operation);
    }

    @Override
    public String help(Operation operation) {
        return operation == Operation.LIST
                ? "Lists firewalls with their state. The filter that is built into every node: srv6:edge."
                : AppWords.super.help(operation);
    }

    @Override
    public List<Example> examples() {
        return List.of(
                new Example("rules on the packet inside", """
                        {"name": "fw-web", "node": "l2", "default": "drop",
                         "groups": {"web": ["2001:db8:2::/64", "10.0.2.0/24"]},
                         "rules": [
                           {"name": "web", "destination": ["group:web"], "protocol": "tcp", "destinationPorts": "80,443",
                            "action": "accept"},
                           {"name": "ping", "protocol": "icmpv6", "icmpType": "128", "action": "accept", "log": true}]}"""),
                new Example("rules on segments: DNS skips the next function", """
                        {"name": "fw-chain", "node": "l2", "mode": "advanced", "default": "accept",
                         "rules": [
                           {"name": "dns-past-ids", "protocol": "udp", "destinationPorts": "53", "action": "skipNext"}]}"""));
    }

    @Override
    public List<String> usage(Operation operation) {
        return switch (operation) {
            case ADD -> List.of("--file firewall.json", "--file firewall.json --dry-run");
            case LIST -> List.of("", "--node l2 --json");
            case GET -> List.of("fw-web");
            case PLAN -> List.of("fw-web", "--file firewall.json --json");
            default -> List.of("fw-web", "--all");
        };
    }
}
