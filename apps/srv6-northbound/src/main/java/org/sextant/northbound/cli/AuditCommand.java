// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.Session;
import org.sextant.core.intent.Intents;
import org.sextant.northbound.view.AuditView;

/** {@code srv6:audit}. */
@Service
@Command(scope = "srv6", name = "audit", description = "Reads all nodes now and repairs what drifted")
public class AuditCommand implements Action {
    @Reference
    private Intents intents;

    @Reference
    private Session session;

    @Option(name = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public Object execute() throws Exception {
        PrintStream out = session.getConsole();
        JsonNode view = AuditView.of(intents.audit().get(60, TimeUnit.SECONDS));
        if (json) {
            JsonPrinter.json(view, out);
            return null;
        }
        out.println(view.at("/repairs").asInt() + " repaired");
        if (view.at("/drift").size() > 0) {
            JsonPrinter.table(view.at("/drift"), out, "", "node", "kind", "table", "match");
        }
        if (view.at("/unread").size() > 0) {
            JsonPrinter.table(view.at("/unread"), out, "", "node", "reason");
        }
        return null;
    }
}
