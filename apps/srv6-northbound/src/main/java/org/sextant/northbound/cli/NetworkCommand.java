// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import java.util.Set;
import org.sextant.core.intent.Intents;
import org.sextant.core.net.Network;
import org.sextant.core.port.Coordination;

/** A command on nodes, links and entries. */
abstract class NetworkCommand extends ShellCommand {
    private final NetworkCommands controller;

    NetworkCommand(NetworkCommands controller) {
        this.controller = controller;
    }

    Network network() {
        return controller.inventory.snapshot();
    }

    Intents intents() {
        return controller.intents;
    }

    Coordination coordination() {
        return controller.coordination;
    }

    /** Nodes whose tables can be written now. */
    Set<String> ready() {
        return controller.dataPlane.ready();
    }

    @Override
    protected Iterable<String> names(String label) {
        return label.equals("NODE") ? network().nodes().keySet() : super.names(label);
    }
}
