// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code srv6:script}: the standard input, line by line, as a shell reads it. A line that fails does not end the script unless that
 * is asked for; the exit status is that of the first one. Each command of it is checked and recorded as if it stood alone.
 *
 * <p>No byte is read ahead: a command that reads the standard input itself ({@code --file -}) finds the bytes behind
 * its line.
 */
@Command(
        name = "script",
        description = "Runs each line of the standard input.",
        footer = {
            "",
            "Every line runs, also after one that failed; the exit status is that of the first line that failed, and the"
                    + " errors name its number. Empty lines and those that begin with # are passed over; a quote or a brace that"
                    + " is not closed goes on in the next line.",
            "",
            "Example:",
            "  srv6:script --stop-on-error"
        })
final class ScriptCommand extends ShellCommand {
    /** Bytes: a line is in memory as a whole. */
    private static final int LONGEST_LINE = 1 << 20;

    @Option(names = "--stop-on-error", description = "The first line that fails is the last that runs.")
    private boolean stop;

    private int number;

    /** The commands of the script record themselves. */
    @Override
    protected boolean changes() {
        return false;
    }

    @Override
    protected int run() throws IOException {
        int first = 0;
        for (Optional<String> line = next(); line.isPresent(); line = next()) {
            String text = line.get().strip();
            if (text.isEmpty() || text.startsWith("#")) {
                continue;
            }
            int status = statement(line.get());
            first = first == 0 ? status : first;
            if (status != 0 && stop) {
                break;
            }
        }
        return first;
    }

    /** @return the exit status of the statement that begins with this line */
    private int statement(String line) throws IOException {
        int began = number;
        String statement = line;
        while (true) {
            try {
                int status = execute(statement);
                if (status != 0) {
                    note("line " + began + ": exit status " + status + ": " + named(line));
                }
                return status;
            } catch (IncompleteStatementException e) {
                Optional<String> more = next();
                if (more.isEmpty()) {
                    note("line " + began + ": " + e.getMessage());
                    return Run.MISUSED;
                }
                statement += "\n" + more.get();
            } catch (StatementException e) {
                note("line " + began + ": " + e.getMessage());
                return Run.REFUSED;
            }
        }
    }

    /** The command's name; its arguments may be passwords. */
    private static String named(String line) {
        return line.strip().split("\\s", 2)[0];
    }

    private Optional<String> next() throws IOException {
        InputStream in = in();
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int read = in.read();
        if (read < 0) {
            return Optional.empty();
        }
        number++;
        for (; read >= 0 && read != '\n'; read = in.read()) {
            if (line.size() == LONGEST_LINE) {
                throw new IOException("line " + number + " is longer than " + LONGEST_LINE + " bytes");
            }
            line.write(read);
        }
        String text = line.toString(StandardCharsets.UTF_8);
        return Optional.of(text.endsWith("\r") ? text.substring(0, text.length() - 1) : text);
    }
}
