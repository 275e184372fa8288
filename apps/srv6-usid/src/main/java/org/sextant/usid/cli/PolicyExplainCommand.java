// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.sextant.usid.text.PlanText;

/** {@code srv6:policy-explain}. */
@Service
@Command(
        scope = "srv6",
        name = "policy-explain",
        description =
                "Says what a policy does to the packets: of a stored one by its id, of a new one without adding it")
public class PolicyExplainCommand extends PolicyFormCommand {
    @Argument(
            name = "words",
            description = "a policy's id; or, as for policy-add, two hosts and the nodes",
            multiValued = true)
    @Completion(PolicyHostNodeCompleter.class)
    List<String> words;

    @Override
    protected void run() throws IOException {
        boolean stored = file == null && words != null && words.size() == 1;
        ObjectNode explanation = stored
                ? policies.plan(words.get(0)).explanation()
                : policies.dryRun(policy(words, null)).explanation();
        print(explanation, PlanText.of(explanation));
    }
}
