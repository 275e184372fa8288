// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.IntentStatus;
import org.sextant.usid.Policy;
import org.sextant.usid.service.PolicyView;
import org.sextant.usid.service.Receipt;
import org.sextant.usid.text.PolicyText;

/** {@code srv6:policy-add}. */
@Service
@Command(
        scope = "srv6",
        name = "policy-add",
        description = "Adds a policy and installs it: srv6:policy-add h11 h31 l1 l2 l3, or --file policy.json")
public class PolicyAddCommand extends PolicyFormCommand {
    @Argument(
            name = "words",
            description = "the sending host, the receiving host, and the nodes: the headend first, the egress last",
            multiValued = true)
    @Completion(HostNodeCompleter.class)
    List<String> words;

    @Option(name = "--name", description = "The policy's id")
    String name;

    @Override
    protected void run() throws IOException {
        IntentStatus<Policy> status = Receipt.submit(policies, policy(words, name), PATIENCE).status();
        ObjectNode view = PolicyView.of(status);
        String installed = status.state() == IntentState.INSTALLED ? "" : "stored, but not (fully) installed yet\n";
        print(view, PolicyText.of(view) + installed);
    }
}
