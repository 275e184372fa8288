// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import java.util.Set;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.access.FailedLogins;
import org.sextant.northbound.access.Caller;

/** Has logins recorded that failed at the shell. */
@Component(service = FailedLogins.class)
public class ShellLoginRecorder implements FailedLogins {
    @Reference
    AuditLog trail;

    @Override
    public void failed(String user, String address, int status) {
        trail.stranger(AuditRecord.login(new Caller(user, Set.of(), Caller.How.SSH, address), "shell"), status);
    }
}
