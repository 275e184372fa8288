// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.cli;

import java.io.IOException;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.sextant.usid.service.PolicyQuery;
import org.sextant.usid.service.Receipt;

/** {@code srv6:policy-remove}. */
@Service
@Command(scope = "srv6", name = "policy-remove", description = "Removes a policy, by its id or by its two ends")
public class PolicyRemoveCommand extends PolicyCommand {
    @Argument(name = "id", description = "the policy's id")
    @Completion(PolicyCompleter.class)
    String id;

    @Option(name = "--source", description = "Its sending host, address or prefix; of the general form the headend")
    @Completion(HostNodeCompleter.class)
    String source;

    @Option(name = "--destination", description = "Its receiving host, address or prefix")
    @Completion(HostNodeCompleter.class)
    String destination;

    @Option(
            name = "--nodes",
            description = "Its nodes as given, separated by commas, if several policies join the two ends")
    String nodes;

    @Override
    protected void run() throws IOException {
        if (id != null && (source != null || destination != null || nodes != null)) {
            throw new IllegalArgumentException("give either the id or the two ends, not both");
        }
        String which = id != null
                ? id
                : policies.only(PolicyQuery.parse(source, destination, nodes)).id();
        Receipt.await(policies.remove(List.of(which)), PATIENCE);
        printRemoved(which, policies.leaving(which).isEmpty());
    }
}
