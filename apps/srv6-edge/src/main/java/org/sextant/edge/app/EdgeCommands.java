// SPDX-License-Identifier: Apache-2.0
package org.sextant.edge.app;

import java.util.List;
import org.apache.karaf.shell.api.console.SessionFactory;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.northbound.cli.Shell;

/** The shell command {@code srv6:edge}, which has no intents. */
@Component(
        immediate = true,
        service = {})
public class EdgeCommands {
    @Reference
    protected SessionFactory host;

    @Reference
    protected EdgeApp edge;

    private Shell shell;

    @Activate
    protected void activate() {
        shell = new Shell(host, List.of(() -> new EdgeCommand(edge)));
    }

    @Deactivate
    protected void deactivate() {
        shell.close();
    }
}
