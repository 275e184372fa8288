// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.cli;

import java.util.List;
import java.util.TreeSet;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;
import org.sextant.core.net.Network;
import org.sextant.usid.service.Policies;

/** Completes the names of hosts and nodes. */
@Service
public class HostNodeCompleter implements Completer {
    @Reference
    Policies policies;

    @Override
    public int complete(Session session, CommandLine line, List<String> candidates) {
        return new StringsCompleter(names(policies.network())).complete(session, line, candidates);
    }

    static TreeSet<String> names(Network network) {
        TreeSet<String> names = new TreeSet<>(network.hosts().keySet());
        names.addAll(network.nodes().keySet());
        return names;
    }
}
