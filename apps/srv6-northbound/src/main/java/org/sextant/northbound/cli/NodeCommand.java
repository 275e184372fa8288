// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.Session;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.Intents;
import org.sextant.core.port.Inventory;
import org.sextant.northbound.view.NodeView;

/** {@code srv6:node}. */
@Service
@Command(scope = "srv6", name = "node", description = "Shows one node: configuration, ports, what it can do")
public class NodeCommand implements Action {
    @Reference
    private Inventory inventory;

    @Reference
    private Intents intents;

    @Reference
    private Session session;

    @Argument(name = "name", description = "the node, for example l1", required = true)
    @Completion(NodeCompleter.class)
    private String name;

    @Option(name = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public Object execute() throws Exception {
        PrintStream out = session.getConsole();
        JsonNode view;
        try {
            view = NodeView.of(inventory.snapshot(), intents, name);
        } catch (ProblemException e) {
            throw new IllegalArgumentException(e.getMessage());
        }
        if (json) {
            JsonPrinter.json(view, out);
            return null;
        }
        view.fields().forEachRemaining(field -> {
            if (field.getValue().isValueNode()) {
                out.printf("%-12s %s%n", field.getKey(), field.getValue().asText());
            }
        });
        view.at("/srv6").fields().forEachRemaining(field -> out.printf("%-12s %s%n", field.getKey(), field.getValue().asText()));
        JsonPrinter.table(view.at("/ports"), out, "no ports", "number", "name", "up", "mac", "mtuBytes");
        return null;
    }
}
