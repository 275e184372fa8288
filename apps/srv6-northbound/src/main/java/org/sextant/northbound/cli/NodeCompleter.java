// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;
import org.sextant.core.port.Inventory;

/** Completes the names of nodes. */
@Service
public class NodeCompleter implements Completer {
    @Reference
    private Inventory inventory;

    @Override
    public int complete(Session session, CommandLine line, List<String> candidates) {
        return new StringsCompleter(inventory.snapshot().nodes().keySet()).complete(session, line, candidates);
    }
}
