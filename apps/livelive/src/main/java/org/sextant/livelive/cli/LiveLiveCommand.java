// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.cli;

import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.sextant.livelive.service.LiveLives;
import org.sextant.usid.cli.ShellCommand;

/** A command on flows. */
abstract class LiveLiveCommand extends ShellCommand {
    @Reference
    LiveLives flows;
}
