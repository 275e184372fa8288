// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.security.Principal;
import java.security.PrivilegedAction;
import java.util.Set;
import javax.security.auth.Subject;
import org.apache.felix.service.command.CommandSession;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sextant.northbound.audit.AuditLog;
import org.sextant.northbound.audit.TestAuditLog;

@DisplayNameGeneration(ReplaceUnderscores.class)
class RefusedCommandsTest {
    @TempDir
    private Path folder;

    @Test
    @SuppressWarnings("removal") // as the shell does it up to Java 17
    void a_command_that_the_access_list_refuses_has_a_line_with_who_and_from_where() {
        try (AuditLog trail = TestAuditLog.in(folder)) {
            RefusedCommands refused = new RefusedCommands();
            refused.trail = trail;
            Exception hidden = new CommandNotFoundException("Command not found: srv6:user-add");
            Subject vera = new Subject(
                    true,
                    Set.of(new RolePrincipal("viewer"), new ClientPrincipal("ssh(/192.0.2.7:50222)")),
                    Set.of(),
                    Set.of());
            Subject.doAs(vera, (PrivilegedAction<Void>) () -> {
                refused.afterExecute(session("vera"), "srv6:user-add mallory admin s3cret", hidden);
                return null;
            });
            assertThat(TestAuditLog.deeds(trail)).singleElement().satisfies(line -> {
                assertThat(line.toString()).doesNotContain("s3cret", "mallory");
                assertThat(line.path("user").asText()).isEqualTo("vera");
                assertThat(line.path("from").asText()).isEqualTo("192.0.2.7");
                assertThat(line.path("roles").toString()).isEqualTo("[\"viewer\"]");
                assertThat(line.path("by").asText()).isEqualTo("shell");
                assertThat(line.path("method").asText()).isEqualTo("srv6:user-add");
                assertThat(line.path("outcome").asText()).isEqualTo("denied");
            });
        }
    }

    @Test
    void what_fails_otherwise_is_not_told_here() {
        assertThat(RefusedCommands.refused("bundle:list -t 0", new SecurityException("Insufficient credentials.")))
                .contains("bundle:list");
        assertThat(RefusedCommands.refused("srv6:policy-add x", new SecurityException("of somebody else")))
                .isEmpty();
        assertThat(RefusedCommands.refused("srv6:policy-add x", new IOException("Insufficient credentials.")))
                .isEmpty();
        assertThat(RefusedCommands.refused("nodez", new CommandNotFoundException("Command not found: nodez")))
                .as("a word that nobody knows")
                .isEmpty();
        assertThat(RefusedCommands.refused(
                        "// of Karaf\nif { } { }", new CommandNotFoundException("Command not found: shell:if")))
                .as("what Karaf itself does at the beginning of every session")
                .isEmpty();
    }

    @Test
    void an_unknown_command_is_a_mistake_and_no_refusal() {
        try (AuditLog trail = TestAuditLog.in(folder)) {
            RefusedCommands refused = new RefusedCommands();
            refused.trail = trail;
            refused.afterExecute(
                    session("vera"), "srv6:polices", new CommandNotFoundException("Command not found: srv6:polices"));
            assertThat(TestAuditLog.deeds(trail)).isEmpty();
        }
    }

    private static CommandSession session(String user) {
        return (CommandSession) Proxy.newProxyInstance(
                RefusedCommandsTest.class.getClassLoader(),
                new Class<?>[] {CommandSession.class},
                (proxy, method, given) -> ".commands".equals(given[0]) ? Set.of("srv6:user-add", "shell:if") : user);
    }

    /** As the shell's own. */
    private static final class CommandNotFoundException extends Exception {
        private static final long serialVersionUID = 1L;

        CommandNotFoundException(String message) {
            super(message);
        }
    }

    /** As Karaf's. */
    private record RolePrincipal(String name) implements Principal {
        @Override
        public String getName() {
            return name;
        }
    }

    /** As Karaf's. */
    private record ClientPrincipal(String name) implements Principal {
        @Override
        public String getName() {
            return name;
        }
    }
}
