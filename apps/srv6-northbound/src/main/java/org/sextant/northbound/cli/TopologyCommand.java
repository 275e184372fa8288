// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.Session;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.Inventory;
import org.sextant.northbound.view.TopologyView;

/** {@code srv6:topology}. */
@Service
@Command(scope = "srv6", name = "topology", description = "Shows nodes, links and hosts")
public class TopologyCommand implements Action {
    @Reference
    private Inventory inventory;

    @Reference
    private DataPlane dataPlane;

    @Reference
    private Session session;

    @Option(name = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public Object execute() throws Exception {
        PrintStream out = session.getConsole();
        JsonNode view = TopologyView.of(inventory.snapshot(), dataPlane.ready());
        if (json) {
            JsonPrinter.json(view, out);
            return null;
        }
        JsonPrinter.table(view.at("/nodes"), out, "no nodes", "name", "srv6.uSid", "srv6.sid", "ready");
        JsonPrinter.table(view.at("/links"), out, "no links", "id", "up", "igpMetric", "delayMicros", "mtuBytes");
        JsonPrinter.table(view.at("/hosts"), out, "no hosts", "name", "node", "port", "addresses");
        return null;
    }
}
