// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.sextant.northbound.access.UserAccounts;
import picocli.CommandLine.Command;

/** {@code srv6:users}. */
@Command(
        name = "users",
        description = "Lists the users and what each may do.",
        footer = {"", "Example:", "  srv6:users"})
final class UsersCommand extends UserCommand {
    UsersCommand(UserAccounts accounts) {
        super(accounts);
    }

    @Override
    protected int run() throws IOException {
        JsonNode users = accounts.list();
        print(users, JsonTable.of(users, "name", "roles"));
        return 0;
    }
}
