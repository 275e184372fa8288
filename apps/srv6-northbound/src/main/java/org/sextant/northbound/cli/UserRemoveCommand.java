// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import org.sextant.northbound.access.UserAccounts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code srv6:user-remove}. */
@Command(
        name = "user-remove",
        description = "Removes a user, and the user's tokens and SSH keys.",
        footer = {"", "Example:", "  srv6:user-remove alice"})
final class UserRemoveCommand extends UserCommand {
    @Parameters(paramLabel = "USER", description = "The user.")
    private String name;

    UserRemoveCommand(UserAccounts accounts) {
        super(accounts);
    }

    @Override
    protected int run() throws IOException {
        accounts.remove(name);
        told(JsonNodeFactory.instance.objectNode().put("name", name), "removed " + name);
        return 0;
    }
}
