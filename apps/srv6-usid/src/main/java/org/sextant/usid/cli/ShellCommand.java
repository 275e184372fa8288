// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.time.Duration;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.console.Session;
import org.sextant.core.ProblemException;
import org.sextant.usid.text.PlanText;

/** What the commands of all apps share: where they print, as what, and that a problem is a sentence. */
public abstract class ShellCommand implements Action {
    /** How long a command waits for what it started. */
    protected static final Duration PATIENCE = Duration.ofSeconds(20);

    @Reference
    public Session session;

    @Option(name = "--json", description = "Print JSON")
    public boolean json;

    /** The command proper. */
    protected abstract void run() throws IOException;

    @Override
    public final Object execute() throws Exception {
        try {
            run();
        } catch (ProblemException e) {
            throw new IllegalArgumentException(PlanText.of(e.problems()).stripTrailing());
        }
        return null;
    }

    /** As JSON if that was asked for, else as {@code text}. */
    protected void print(JsonNode view, String text) throws IOException {
        session.getConsole()
                .print(json ? new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(view) + "\n" : text);
        session.getConsole().flush();
    }

    /** @param gone whether its entries are, too */
    protected void printRemoved(String id, boolean gone) throws IOException {
        print(
                JsonNodeFactory.instance
                        .objectNode()
                        .put("id", id)
                        .put("removed", true)
                        .put("entriesGone", gone),
                "removed " + id + (gone ? "\n" : ", but some nodes may still have entries of it; they go when the node can be written\n"));
    }
}
