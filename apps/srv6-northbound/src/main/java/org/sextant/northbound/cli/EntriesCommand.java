// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
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
import org.sextant.northbound.view.EntryView;

/** {@code srv6:entries}. */
@Service
@Command(scope = "srv6", name = "entries", description = "Lists the wanted entries with their state and, if not installed, the reason")
public class EntriesCommand implements Action {
    @Reference
    private Inventory inventory;

    @Reference
    private Intents intents;

    @Reference
    private Session session;

    @Argument(name = "node", description = "only of this node")
    @Completion(NodeCompleter.class)
    private String node;

    @Option(name = "--intent", description = "Only of this intent, as kind/id")
    private String intent;

    @Option(name = "--state", description = "Only installed, pending or failed ones")
    private String state;

    @Option(name = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public Object execute() throws Exception {
        JsonNode view;
        try {
            ArrayNode rows = JsonNodeFactory.instance.arrayNode();
            EntryView.find(inventory.snapshot(), intents, node, intent, state).forEach(entry -> rows.add(EntryView.of(entry)));
            view = rows;
        } catch (ProblemException e) {
            throw new IllegalArgumentException(e.getMessage());
        }
        if (json) {
            JsonPrinter.json(view, session.getConsole());
        } else {
            JsonPrinter.table(view, session.getConsole(), "no entries",
                    "node", "table", "match", "action", "state", "packets", "owners", "reason");
        }
        return null;
    }
}
