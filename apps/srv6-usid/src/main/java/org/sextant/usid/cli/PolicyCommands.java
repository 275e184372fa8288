// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.cli;

import java.util.List;
import org.apache.karaf.shell.api.console.SessionFactory;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.northbound.cli.Shell;
import org.sextant.usid.service.Policies;
import org.sextant.usid.service.PolicyProbes;

/** The commands on policies, in the host's shell. */
@Component(
        immediate = true,
        service = {})
public class PolicyCommands {
    @Reference
    protected SessionFactory host;

    @Reference
    protected Policies policies;

    @Reference
    protected PolicyProbes probes;

    private Shell shell;

    @Activate
    protected void activate() {
        shell = new Shell(
                host,
                List.of(
                        () -> new PoliciesCommand(policies),
                        () -> new PolicyShowCommand(policies),
                        () -> new PolicyAddCommand(policies),
                        () -> new PolicyExplainCommand(policies),
                        () -> new PolicyProbeCommand(policies, probes),
                        () -> new PolicyRemoveCommand(policies)));
    }

    @Deactivate
    protected void deactivate() {
        shell.close();
    }
}
