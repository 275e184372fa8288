// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.sextant.core.intent.Witness;
import org.sextant.core.port.Subscription;
import org.sextant.northbound.access.Caller;
import org.sextant.northbound.trail.Deed;
import org.sextant.northbound.trail.Outcome;
import org.sextant.northbound.trail.Trail;

/**
 * Has a command recorded that changes something: before it runs, and how it ended. Its arguments are not recorded, as
 * they may be anything.
 *
 * @param caller the user that typed it
 */
record Recorded(Supplier<Optional<Trail>> trail, Supplier<Caller> caller) implements Run.Around {

    /** @throws org.sextant.northbound.trail.TrailUnavailableException if there is no room for a line; then it was not run */
    @Override
    public int run(ShellCommand command, String name, Callable<Integer> run) throws Exception {
        if (!command.changes()) {
            return run.call();
        }
        Trail here = Trail.required(trail.get());
        Deed deed = command.isDryRun()
                ? Deed.dryRun(caller.get(), "shell", name, command.resource())
                : Deed.change(caller.get(), "shell", name, command.resource());
        here.begin(deed);
        Outcome outcome = Outcome.REFUSED;
        int status = 1;
        Subscription witness = Witness.of(deed::changed);
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
