// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.sextant.northbound.cli.AppCommand;
import org.sextant.sera.Versioned;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code srv6:firewall-counters}. */
@Command(
        name = "firewall-counters",
        description = "Shows how many packets each rule of a firewall took; exit status 1 if its node does not answer.",
        footer = {"", "Example:", "  srv6:firewall-counters fw-web"})
final class CountersCommand extends AppCommand<Versioned> {
    private final FirewallApp firewalls;

    @Parameters(paramLabel = "FIREWALL", description = "The firewall's id; srv6:firewalls lists them.")
    private String id;

    CountersCommand(FirewallApp firewalls) {
        super(firewalls);
        this.firewalls = firewalls;
    }

    @Override
    protected boolean changes() {
        return false;
    }

    @Override
    protected int run() throws IOException {
        ObjectNode view = firewalls.counters(id);
        print(view, FirewallText.counters(view));
        return view.get("read").asBoolean() ? 0 : 1;
    }
}
