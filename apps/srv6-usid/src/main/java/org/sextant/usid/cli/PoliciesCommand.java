// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.sextant.usid.service.PolicyQuery;
import org.sextant.usid.service.PolicyView;
import org.sextant.usid.text.PolicyText;

/** {@code srv6:policies}. */
@Service
@Command(scope = "srv6", name = "policies", description = "Lists policies with their state")
public class PoliciesCommand extends PolicyCommand {
    @Option(name = "--source", description = "Only from this host, address or prefix; of the general form the headend")
    @Completion(HostNodeCompleter.class)
    String source;

    @Option(name = "--destination", description = "Only to this host, address or prefix")
    @Completion(HostNodeCompleter.class)
    String destination;

    @Override
    protected void run() throws IOException {
        ArrayNode view = PolicyView.of(policies.find(PolicyQuery.parse(source, destination, null)));
        print(view, PolicyText.list(view));
    }
}
