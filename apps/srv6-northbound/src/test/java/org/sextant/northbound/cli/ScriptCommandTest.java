// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** A script runs as a shell would run it that reads a pipe. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class ScriptCommandTest {
    private final List<String> ran = new ArrayList<>();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** A shell with {@code ok}, {@code refuse N} and {@code eat}, which reads the standard input to its end. */
    private int shell(InputStream in, String statement) throws StatementException {
        if (Statements.hasOpenQuote(statement)) {
            throw new IncompleteStatementException("the quote is not closed", new IllegalStateException());
        }
        if (!statement.matches("ok.*|refuse .*|eat") && !statement.contains("\n")) {
            throw new StatementException("Command not found: " + statement, new IllegalStateException());
        }
        ran.add(statement);
        if (statement.startsWith("refuse ")) {
            return Integer.parseInt(statement.substring("refuse ".length()));
        }
        if (statement.equals("eat")) {
            try {
                ran.add(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return 0;
    }

    private int script(String text, String... words) {
        InputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        PrintStream nothing = new PrintStream(PrintStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
        Console console = new Console(in, nothing, errors, statement -> shell(in, statement));
        return Run.of(new ScriptCommand(), console, List.of(words), (one, name, run) -> run.call());
    }

    private List<String> told() {
        return err.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void every_line_runs_and_the_exit_status_is_the_first_failures() {
        assertThat(script("ok 1\nrefuse 2\nnonsense\nok 2\nrefuse 1\n")).isEqualTo(2);
        assertThat(ran).containsExactly("ok 1", "refuse 2", "ok 2", "refuse 1");
        assertThat(told())
                .containsExactly(
                        "line 2: exit status 2: refuse",
                        "line 3: Command not found: nonsense",
                        "line 5: exit status 1: refuse");
    }

    @Test
    void it_stops_where_that_is_asked_for() {
        assertThat(script("ok 1\nnonsense\nok 2\n", "--stop-on-error")).isEqualTo(1);
        assertThat(ran).containsExactly("ok 1");
        assertThat(told()).containsExactly("line 2: Command not found: nonsense");
    }

    @Test
    void empty_lines_comments_and_ends_of_lines_of_another_system_are_no_commands() {
        assertThat(script("\n# a comment\r\n  \r\nok 1\r\nok 2")).isZero();
        assertThat(ran).containsExactly("ok 1", "ok 2");
        assertThat(script("")).isZero();
    }

    @Test
    void a_quote_goes_on_in_the_next_line() {
        assertThat(script("ok 1\nok \"a\nb\"\nnonsense")).isEqualTo(1);
        assertThat(ran).containsExactly("ok 1", "ok \"a\nb\"");
        assertThat(told()).containsExactly("line 4: Command not found: nonsense");
    }

    @Test
    void a_quote_that_is_never_closed_is_told_by_the_line_that_opens_it() {
        assertThat(script("ok 1\nok \"a\nok 2\n")).isEqualTo(2);
        assertThat(ran).containsExactly("ok 1");
        assertThat(told()).containsExactly("line 2: the quote is not closed");
    }

    @Test
    void a_quote_is_open_until_one_of_its_kind_closes_it() {
        assertThat(List.of("echo 'a", "echo \"it's", "'a' \"b", "\"a\\\"")).allMatch(Statements::hasOpenQuote);
        assertThat(List.of("", "'a'", "\"it's\"", "it\\'s", "'\"'", "\"a\\\"b\""))
                .noneMatch(Statements::hasOpenQuote);
    }

    @Test
    void a_command_that_reads_finds_the_rest_as_in_any_shell() {
        assertThat(script("ok 1\neat\n{\"name\": 1}\n")).isZero();
        assertThat(ran).containsExactly("ok 1", "eat", "{\"name\": 1}\n");
    }

    @Test
    void a_line_without_end_is_refused() {
        assertThat(script("ok 1\n" + "x".repeat(2_000_000))).isEqualTo(1);
        assertThat(told()).containsExactly("cannot read or write: line 2 is longer than 1048576 bytes");
    }
}
