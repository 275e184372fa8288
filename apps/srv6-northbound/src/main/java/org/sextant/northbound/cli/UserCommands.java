// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import java.util.List;
import org.apache.karaf.shell.api.console.SessionFactory;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.northbound.access.UserAccounts;

/** The commands on users, in the shell of a host that keeps them itself. */
@Component(
        immediate = true,
        service = {})
public class UserCommands {
    @Reference
    protected SessionFactory host;

    @Reference
    protected UserAccounts accounts;

    private Shell shell;

    @Activate
    protected void activate() {
        shell = new Shell(
                host,
                List.of(
                        () -> new UsersCommand(accounts),
                        () -> new UserAddCommand(accounts),
                        () -> new UserPasswordCommand(accounts),
                        () -> new UserRemoveCommand(accounts)));
    }

    @Deactivate
    protected void deactivate() {
        shell.close();
    }
}
