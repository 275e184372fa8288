// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.cli;

import java.time.Duration;
import java.util.List;
import org.sextant.core.intent.IntentStatus;
import org.sextant.livelive.service.LiveLives;
import org.sextant.northbound.cli.ShellCommand;

/** A command on flows. */
abstract class LiveLiveCommand extends ShellCommand {
    /** How long a command waits for what it started. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    final LiveLives flows;

    LiveLiveCommand(LiveLives flows) {
        this.flows = flows;
    }

    @Override
    protected Iterable<String> names(String label) {
        return switch (label) {
            case "FLOW" -> flows.list().stream().map(IntentStatus::id).toList();
            case "HOST" -> flows.network().hosts().keySet();
            case "PATHS" -> List.of("2", "3", "4", "5", "6", "disjoint");
            case "DISJOINT" -> List.of("link", "node", "srlg");
            case "SHORTFALL" -> List.of("relax", "offer", "refuse");
            default -> super.names(label);
        };
    }
}
