// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.gtp;

import java.util.List;
import org.apache.karaf.shell.api.console.SessionFactory;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.mobile.session.SessionApp;
import org.sextant.mobile.slice.SliceApp;
import org.sextant.northbound.cli.Shell;

/** {@code srv6:gtp-explain} in the host's shell. */
@Component(
        immediate = true,
        service = {})
public class GtpCommands {
    @Reference
    protected SessionFactory host;

    @Reference
    protected SliceApp slices;

    @Reference
    protected SessionApp sessions;

    private Shell shell;

    @Activate
    protected void activate() {
        shell = new Shell(host, List.of(() -> new GtpExplainCommand(slices.intents(), sessions.intents())));
    }

    @Deactivate
    protected void deactivate() {
        shell.close();
    }
}
