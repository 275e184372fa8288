// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.cli;

import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;
import org.sextant.core.intent.IntentStatus;
import org.sextant.usid.service.Policies;
import org.sextant.usid.service.PolicyQuery;

/** Completes the ids of policies. */
@Service
public class PolicyCompleter implements Completer {
    @Reference
    Policies policies;

    @Override
    public int complete(Session session, CommandLine line, List<String> candidates) {
        return new StringsCompleter(policies.find(PolicyQuery.ALL).stream()
                        .map(IntentStatus::id)
                        .toList())
                .complete(session, line, candidates);
    }
}
