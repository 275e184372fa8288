// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sextant.core.access.Role;
import org.sextant.northbound.access.Caller;
import org.sextant.northbound.app.Notes;
import org.sextant.northbound.audit.AuditLog;
import org.sextant.northbound.audit.TestAuditLog;

/** A command that changes something has its line, one that only reads has none. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class AuditedCommandTest {
    private static final Caller ANN = new Caller("ann", Set.of(Role.ADMIN), Caller.How.SSH, "192.0.2.7");

    private final Notes notes = new Notes();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        notes.close();
    }

    private int type(Optional<AuditLog> trail, String name, String input, String... words) {
        Console console = new Console(
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(PrintStream.nullOutputStream(), true, StandardCharsets.UTF_8),
                new PrintStream(PrintStream.nullOutputStream(), true, StandardCharsets.UTF_8));
        return Run.of(Typed.command(notes, name), console, List.of(words), new AuditedCommand(() -> trail, () -> ANN));
    }

    @Test
    void what_is_added_and_removed_is_told_and_what_is_read_is_not() {
        try (AuditLog trail = TestAuditLog.in(folder)) {
            Optional<AuditLog> here = Optional.of(trail);
            assertThat(type(here, "note-add", "{\"text\": \"a\"}", "--file", "-"))
                    .isZero();
            assertThat(type(here, "notes", "")).isZero();
            assertThat(type(here, "note", "", "a")).isZero();
            assertThat(type(here, "note-remove", "", "a")).isZero();
            assertThat(type(here, "note-remove", "", "a")).isEqualTo(1);
            assertThat(TestAuditLog.deeds(trail))
                    .extracting(AuditedCommandTest::told)
                    .containsExactly(
                            "ann 192.0.2.7 ssh shell srv6:note-remove notes refused",
                            "ann 192.0.2.7 ssh shell srv6:note-remove notes done note/a",
                            "ann 192.0.2.7 ssh shell srv6:note-add notes done note/a");
        }
    }

    private static String told(JsonNode line) {
        return (line.path("user").asText() + " " + line.path("from").asText() + " "
                        + line.path("how").asText() + " "
                        + line.path("by").asText() + " " + line.path("method").asText() + " "
                        + line.path("resource").asText() + " "
                        + line.path("outcome").asText() + " "
                        + line.at("/changes/items/0/intent").asText())
                .strip();
    }

    @Test
    void a_dry_run_is_no_change() {
        try (AuditLog trail = TestAuditLog.in(folder)) {
            Optional<AuditLog> here = Optional.of(trail);
            assertThat(type(here, "note-add", "{\"text\": \"a\"}", "--file", "-", "--dry-run"))
                    .isZero();
            assertThat(type(here, "note-add", "{\"colour\": \"red\"}", "--file", "-", "--dry-run"))
                    .isEqualTo(1);
            assertThat(TestAuditLog.deeds(trail))
                    .extracting(line -> line.path("event").asText() + " "
                            + line.path("outcome").asText())
                    .containsExactly("dryRun refused", "dryRun done");
        }
    }

    @Test
    void without_a_trail_nothing_is_changed() {
        assertThat(type(Optional.empty(), "note-add", "{\"text\": \"a\"}", "--file", "-"))
                .isEqualTo(1);
        assertThat(notes.intents().list()).isEmpty();
        assertThat(type(Optional.empty(), "notes", "")).isZero();
    }
}
