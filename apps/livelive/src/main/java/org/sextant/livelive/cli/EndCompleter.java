// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.cli;

import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;
import org.sextant.livelive.service.LiveLives;

/** Completes the names of hosts. */
@Service
public class EndCompleter implements Completer {
    @Reference
    LiveLives flows;

    @Override
    public int complete(Session session, CommandLine line, List<String> candidates) {
        return new StringsCompleter(flows.network().hosts().keySet()).complete(session, line, candidates);
    }
}
