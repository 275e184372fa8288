// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import java.io.IOException;
import org.sextant.northbound.access.UserAccounts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code srv6:user-password}. */
@Command(
        name = "user-password",
        description = "Gives a user another password.",
        footer = {"", "Examples:", "  srv6:user-password alice", "  srv6:user-password alice --stdin"})
final class UserPasswordCommand extends UserCommand {
    @Parameters(paramLabel = "USER", description = "The user.")
    private String name;

    @Option(names = "--stdin", description = STDIN)
    private boolean standardInput;

    UserPasswordCommand(UserAccounts accounts) {
        super(accounts);
    }

    @Override
    protected int run() throws IOException {
        told(accounts.change(name, password(standardInput)), "changed the password of " + name);
        return 0;
    }
}
