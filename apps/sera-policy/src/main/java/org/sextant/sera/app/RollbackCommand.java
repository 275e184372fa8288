// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.sextant.northbound.app.Receipt;
import org.sextant.northbound.cli.AppCommand;
import org.sextant.sera.Versioned;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code srv6:firewall-rollback}. */
@Command(
        name = "firewall-rollback",
        description = "Takes a firewall back to the rules of an earlier version, as the next one.",
        footer = {"", "Examples:", "  srv6:firewall-rollback fw-web", "  srv6:firewall-rollback fw-web --to-version 3"})
final class RollbackCommand extends AppCommand<Versioned> {
    private final FirewallApp firewalls;

    @Parameters(paramLabel = "FIREWALL", description = "The firewall's id; srv6:firewalls lists them.")
    private String id;

    @Option(names = "--to-version", paramLabel = "N", description = "Which version; the one before if it is left out.")
    private @Nullable String version;

    RollbackCommand(FirewallApp firewalls) {
        super(firewalls);
        this.firewalls = firewalls;
    }

    @Override
    protected int run() throws IOException {
        Receipt receipt = Receipt.replace(firewalls, id, firewalls.earlier(id, Versions.parse(version)));
        print(receipt.view(), receipt.id() + " " + receipt.state() + "\n" + new FirewallText().summary(receipt.view()));
        return 0;
    }
}
