// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.console.Session;
import org.sextant.core.ProblemException;
import org.sextant.livelive.service.LiveLives;
import org.sextant.usid.text.PlanText;

/** What all commands on flows share: where they print, as what, and that a problem is a sentence. */
abstract class LiveLiveCommand implements Action {
    static final Duration PATIENCE = Duration.ofSeconds(20);

    @Reference
    LiveLives flows;

    @Reference
    Session session;

    @Option(name = "--json", description = "Print JSON")
    boolean json;

    /** The command proper. */
    abstract void run() throws IOException;

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
    void print(JsonNode view, String text) throws IOException {
        session.getConsole()
                .print(json ? new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(view) + "\n" : text);
        session.getConsole().flush();
    }
}
