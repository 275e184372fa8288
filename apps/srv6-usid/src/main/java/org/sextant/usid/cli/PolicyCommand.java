// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.cli;

import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.sextant.usid.service.Policies;

/** A command on policies. */
abstract class PolicyCommand extends ShellCommand {
    @Reference
    Policies policies;
}
