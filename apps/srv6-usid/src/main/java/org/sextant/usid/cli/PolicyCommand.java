// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.cli;

import java.time.Duration;
import java.util.List;
import org.sextant.core.intent.IntentStatus;
import org.sextant.northbound.cli.ShellCommand;
import org.sextant.usid.service.Policies;
import org.sextant.usid.service.PolicyQuery;

/** A command on policies. */
abstract class PolicyCommand extends ShellCommand {
    /** How long a command waits for what it started. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    final Policies policies;

    PolicyCommand(Policies policies) {
        this.policies = policies;
    }

    @Override
    protected Iterable<String> names(String label) {
        return switch (label) {
            case "POLICY" ->
                policies.find(PolicyQuery.ALL).stream().map(IntentStatus::id).toList();
            case "HOST" -> policies.network().hosts().keySet();
            case "NODE" -> policies.network().nodes().keySet();
            case "DECAP" -> List.of("f00d", "uDT", "vrf:", "numbering");
            case "FAMILY" -> List.of("ipv6", "ipv4");
            default -> super.names(label);
        };
    }
}
