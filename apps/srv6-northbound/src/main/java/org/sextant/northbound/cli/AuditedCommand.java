// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.sextant.core.intent.ChangeListener;
import org.sextant.core.port.Subscription;
import org.sextant.northbound.access.Caller;
import org.sextant.northbound.audit.AuditLog;
import org.sextant.northbound.audit.AuditRecord;
import org.sextant.northbound.audit.Outcome;

/**
 * Has a command recorded that changes something: before it runs, and how it ended. Its arguments are not recorded, as
 * they may be anything.
 *
 * @param caller the user that typed it
 */
record AuditedCommand(Supplier<Optional<AuditLog>> trail, Supplier<Caller> caller) implements Run.Around {

    /** @throws org.sextant.northbound.audit.AuditLogUnavailableException if there is no room for a line; then it was not run */
    @Override
    public int run(ShellCommand command, String name, Callable<Integer> run) throws Exception {
        if (!command.changes()) {
            return run.call();
        }
        AuditLog here = AuditLog.required(trail.get());
        AuditRecord deed = command.isDryRun()
                ? AuditRecord.dryRun(caller.get(), "shell", name, command.resource())
                : AuditRecord.change(caller.get(), "shell", name, command.resource());
        here.begin(deed);
        Outcome outcome = Outcome.REFUSED;
        int status = 1;
        Subscription witness = ChangeListener.of(deed::changed);
        try {
            status = run.call();
            outcome = status == 0 ? Outcome.DONE : Outcome.REFUSED;
            return status;
        } finally {
            witness.close();
            here.end(deed, outcome, status);
        }
    }
}
