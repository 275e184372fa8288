// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.sextant.usid.service.Policies;
import org.sextant.usid.service.PolicyView;
import org.sextant.usid.text.PolicyText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code srv6:policy}. */
@Command(
        name = "policy",
        description = "Shows one policy, its state and, where it is not installed, why.",
        footer = {"", "Example:", "  srv6:policy gold"})
final class PolicyShowCommand extends PolicyCommand {
    @Parameters(paramLabel = "POLICY", description = "The policy's id; srv6:policies lists them.")
    private String id;

    PolicyShowCommand(Policies policies) {
        super(policies);
    }

    @Override
    protected int run() throws IOException {
        ObjectNode view = PolicyView.of(policies.get(id));
        print(view, PolicyText.of(view));
        return 0;
    }
}
