// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.cli;

import java.util.List;
import org.apache.karaf.shell.api.console.SessionFactory;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.livelive.service.LiveLives;
import org.sextant.northbound.cli.Shell;

/** The commands on flows, in the host's shell. */
@Component(
        immediate = true,
        service = {})
public class LiveLiveCommands {
    @Reference
    protected SessionFactory host;

    @Reference
    protected LiveLives flows;

    private Shell shell;

    @Activate
    protected void activate() {
        shell = new Shell(
                host,
                List.of(
                        () -> new LiveLiveListCommand(flows),
                        () -> new LiveLiveShowCommand(flows),
                        () -> new LiveLiveAddCommand(flows),
                        () -> new LiveLiveRemoveCommand(flows)));
    }

    @Deactivate
    protected void deactivate() {
        shell.close();
    }
}
