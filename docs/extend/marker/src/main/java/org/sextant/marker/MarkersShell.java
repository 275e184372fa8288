// SPDX-License-Identifier: Apache-2.0
package org.sextant.marker;

import java.util.List;
import org.apache.karaf.shell.api.console.SessionFactory;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.northbound.cli.Shell;

/** The commands on markers, in the host's shell. */
@Component(
        immediate = true,
        service = {})
public class MarkersShell {
    @Reference
    protected SessionFactory host;

    @Reference
    protected Markers markers;

    private Shell shell;

    @Activate
    protected void activate() {
        shell = new Shell(host, List.of(() -> new MarkersCommand(markers)));
    }

    @Deactivate
    protected void deactivate() {
        shell.close();
    }
}
