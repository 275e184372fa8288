// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import java.util.List;
import org.apache.karaf.shell.api.console.SessionFactory;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.intent.Intents;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.Inventory;
import org.sextant.northbound.audit.AuditLog;
import org.sextant.northbound.events.LogKeeper;
import org.sextant.northbound.history.HistoryKeeper;

/** The commands that belong to no app, in the host's shell. */
@Component(
        immediate = true,
        service = {})
public class NetworkCommands {
    @Reference
    protected SessionFactory host;

    @Reference
    protected Inventory inventory;

    @Reference
    protected Intents intents;

    @Reference
    protected DataPlane dataPlane;

    @Reference
    protected Coordination coordination;

    @Reference
    protected AuditLog trail;

    @Reference
    protected LogKeeper log;

    @Reference
    protected HistoryKeeper keeper;

    private Shell shell;

    @Activate
    protected void activate() {
        shell = new Shell(
                host,
                List.of(
                        () -> new NodesCommand(this),
                        () -> new NodeCommand(this),
                        () -> new TopologyCommand(this),
                        () -> new ClusterCommand(this),
                        () -> new ProtectionCommand(this),
                        () -> new BandwidthCommand(this),
                        () -> new HistoryCommand(this),
                        () -> new EntriesCommand(this),
                        () -> new LogCommand(this),
                        () -> new DriftCheckCommand(this),
                        () -> new AuditLogCommand(this),
                        ScriptCommand::new,
                        () -> new HelpCommand(host.getRegistry())));
    }

    @Deactivate
    protected void deactivate() {
        shell.close();
    }
}
