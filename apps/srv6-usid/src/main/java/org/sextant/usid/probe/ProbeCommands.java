// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.probe;

import java.util.List;
import org.apache.karaf.shell.api.console.SessionFactory;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.northbound.cli.Shell;
import org.sextant.usid.app.PolicyApp;

/** {@code srv6:policy-probe} in the host's shell. */
@Component(
        immediate = true,
        service = {})
public class ProbeCommands {
    @Reference
    protected SessionFactory host;

    @Reference
    protected PolicyApp policies;

    @Reference
    protected PolicyProbes probes;

    private Shell shell;

    @Activate
    protected void activate() {
        shell = new Shell(host, List.of(() -> new PolicyProbeCommand(policies, probes)));
    }

    @Deactivate
    protected void deactivate() {
        shell.close();
    }
}
