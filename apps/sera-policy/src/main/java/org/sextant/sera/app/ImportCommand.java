// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import org.sextant.northbound.cli.AppCommand;
import org.sextant.northbound.cli.Documents;
import org.sextant.sera.Versioned;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code srv6:firewall-import}. */
@Command(
        name = "firewall-import",
        description = "Makes a firewall of what ip6tables-save, iptables-save or nft list ruleset print.",
        footer = {
            "",
            "Examples:",
            "  srv6:firewall-import l2 --file rules.v6 --dry-run",
            "  srv6:firewall-import l2 --format nft --chain inet/filter/forward --name fw-web --file rules.nft"
        })
final class ImportCommand extends AppCommand<Versioned> {
    private final FirewallApp firewalls;

    @Parameters(paramLabel = "NODE", description = "The node that it is to be on.")
    private String node;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            required = true,
            description = "The text; - is the standard input.")
    private String file;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "ip6tables-save (if left out), iptables-save or nft.")
    private String format = "ip6tables-save";

    @Option(names = "--chain", paramLabel = "CHAIN", description = "The base chain; FORWARD if it is left out.")
    private @Nullable String chain;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Of the firewall; that of the chain if it is left out.")
    private @Nullable String name;

    @Option(
            names = "--interfaces",
            paramLabel = "NAME=PREFIX,…",
            description = "The addresses behind interfaces that the text names: eth0=2001:db8:1::/64,eth1=10.0.1.0/24.")
    private @Nullable String interfaces;

    @Option(names = "--partial", description = "Leave out lines that have no counterpart.")
    private boolean partial;

    @Option(names = "--dry-run", description = "Only say what would happen.")
    private boolean dryRun;

    ImportCommand(FirewallApp firewalls) {
        super(firewalls);
        this.firewalls = firewalls;
    }

    @Override
    protected boolean readsDocument() {
        return true;
    }

    @Override
    protected boolean isDryRun() {
        return dryRun;
    }

    @Override
    protected int run() throws IOException {
        FirewallImporter.Request request =
                FirewallImporter.Request.of(format, chain, name, node, interfaces, dryRun, partial);
        try (InputStream stream = Documents.open(file, in())) {
            FirewallImporter.Result result = new FirewallImporter(firewalls).run(request, stream);
            print(result.view(), FirewallImporter.text(result.view()));
            return 0;
        }
    }
}
