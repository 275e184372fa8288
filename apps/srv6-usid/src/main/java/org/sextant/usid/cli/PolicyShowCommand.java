// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.sextant.usid.service.PolicyView;
import org.sextant.usid.text.PolicyText;

/** {@code srv6:policy}. */
@Service
@Command(
        scope = "srv6",
        name = "policy",
        description = "Shows one policy, its state and, where it is not installed, why")
public class PolicyShowCommand extends PolicyCommand {
    @Argument(name = "id", description = "the policy's id", required = true)
    @Completion(PolicyCompleter.class)
    String id;

    @Override
    protected void run() throws IOException {
        ObjectNode view = PolicyView.of(policies.get(id));
        print(view, PolicyText.of(view));
    }
}
