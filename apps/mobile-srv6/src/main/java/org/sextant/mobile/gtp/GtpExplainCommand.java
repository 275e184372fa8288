// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.gtp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import org.sextant.kit.app.AppIntents;
import org.sextant.mobile.Session;
import org.sextant.mobile.Slice;
import org.sextant.northbound.cli.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code srv6:gtp-explain}. */
@Command(
        name = "gtp-explain",
        description =
                "Explains the treatment of a captured GTP-U packet: its slice, its rule, and its SRv6 encapsulation.",
        footer = {"", "Example:", "  srv6:gtp-explain 45b800500000400040114dafc0000201c63364010868…"})
final class GtpExplainCommand extends ShellCommand {
    private final AppIntents<Slice> slices;
    private final AppIntents<Session> sessions;

    @Parameters(paramLabel = "HEX", arity = "1..*", description = "The packet, from its IP or Ethernet header on.")
    private List<String> hex;

    GtpExplainCommand(AppIntents<Slice> slices, AppIntents<Session> sessions) {
        this.slices = slices;
        this.sessions = sessions;
    }

    @Override
    protected boolean changes() {
        return false;
    }

    @Override
    protected int run() throws IOException {
        ObjectNode view = new Explainer(slices, sessions).explain(String.join("", hex));
        print(view, Explainer.text(view));
        return 0;
    }
}
