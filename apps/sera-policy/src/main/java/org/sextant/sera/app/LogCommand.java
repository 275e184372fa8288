// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.sextant.northbound.cli.AppCommand;
import org.sextant.sera.Versioned;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code srv6:firewall-log}. */
@Command(
        name = "firewall-log",
        description = "Shows packets that rules of a firewall with log took last, latest first.",
        footer = {"", "Examples:", "  srv6:firewall-log fw-web", "  srv6:firewall-log fw-web --limit 200"})
final class LogCommand extends AppCommand<Versioned> {
    private final FirewallEvents news;

    @Parameters(paramLabel = "FIREWALL", description = "The firewall's id; srv6:firewalls lists them.")
    private String id;

    @Option(names = "--limit", paramLabel = "LINES", description = "At most so many, 1 to 200; 50 if it is left out.")
    private String limit;

    LogCommand(FirewallApp firewalls, FirewallEvents news) {
        super(firewalls);
        this.news = news;
    }

    @Override
    protected boolean changes() {
        return false;
    }

    @Override
    protected int run() throws IOException {
        ObjectNode view = news.log(id, FirewallLog.limit(limit));
        print(view, LogText.of(view));
        return 0;
    }
}
