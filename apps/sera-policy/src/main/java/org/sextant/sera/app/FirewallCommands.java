// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import java.util.List;
import org.apache.karaf.shell.api.console.SessionFactory;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.northbound.cli.Shell;

/** The shell commands of firewalls only. */
@Component(
        immediate = true,
        service = {})
public class FirewallCommands {
    @Reference
    protected SessionFactory host;

    @Reference
    protected FirewallApp firewalls;

    @Reference
    protected FirewallEvents news;

    private Shell shell;

    @Activate
    protected void activate() {
        shell = new Shell(
                host,
                List.of(
                        () -> new ImportCommand(firewalls),
                        () -> new TraceCommand(firewalls),
                        () -> new CountersCommand(firewalls),
                        () -> new LogCommand(firewalls, news),
                        () -> new RollbackCommand(firewalls)));
    }

    @Deactivate
    protected void deactivate() {
        shell.close();
    }
}
