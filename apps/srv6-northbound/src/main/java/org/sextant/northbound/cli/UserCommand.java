// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.sextant.core.access.Role;
import org.sextant.northbound.access.UserAccounts;

/** A command on users. */
abstract class UserCommand extends ShellCommand {
    static final String STDIN = "Read the password from the standard input, one line; else one is made and printed.";

    final UserAccounts accounts;

    UserCommand(UserAccounts accounts) {
        this.accounts = accounts;
    }

    @Override
    protected Iterable<String> names(String label) {
        return switch (label) {
            case "USER" -> accounts.list().findValuesAsText("name");
            case "ROLE" -> Arrays.stream(Role.values()).map(Role::word).toList();
            default -> super.names(label);
        };
    }

    /** A password is no word of a command, which a history or a list of processes would show. */
    Optional<String> password(boolean standardInput) throws IOException {
        if (!standardInput) {
            return Optional.empty();
        }
        String line = new BufferedReader(new InputStreamReader(in(), StandardCharsets.UTF_8)).readLine();
        if (line == null || line.isEmpty()) {
            throw misuse("the standard input has no password");
        }
        return Optional.of(line);
    }

    void told(JsonNode answer, String done) throws IOException {
        String password = answer.path("password").asText("");
        print(answer, done + "\n" + (password.isEmpty() ? "" : "password " + password + " (it is not shown again)\n"));
    }
}
