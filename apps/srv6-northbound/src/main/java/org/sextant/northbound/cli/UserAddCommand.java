// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import java.io.IOException;
import org.sextant.core.access.Role;
import org.sextant.northbound.access.UserAccounts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code srv6:user-add}. */
@Command(
        name = "user-add",
        description = "Adds a user.",
        footer = {"", "Examples:", "  srv6:user-add alice operator", "  srv6:user-add alice operator --stdin"})
final class UserAddCommand extends UserCommand {
    @Parameters(index = "0", paramLabel = "USER", description = "How the user is called.")
    private String name;

    @Parameters(index = "1", paramLabel = "ROLE", description = "viewer, operator, security or admin.")
    private String role;

    @Option(names = "--stdin", description = STDIN)
    private boolean standardInput;

    UserAddCommand(UserAccounts accounts) {
        super(accounts);
    }

    @Override
    protected int run() throws IOException {
        Role meant = Role.named(role)
                .orElseThrow(
                        () -> misuse("\"" + role + "\" is no role; the roles are viewer, operator, security, admin"));
        told(accounts.add(name, meant, password(standardInput)), "added " + name + " as " + meant.word());
        return 0;
    }
}
