// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.sextant.core.ProblemException;
import org.sextant.core.json.ProblemJson;
import org.sextant.core.port.NodeUnavailableException;
import org.sextant.core.port.StoreUnavailableException;
import org.sextant.core.text.ProblemText;
import org.sextant.northbound.audit.AuditLogUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * One run of a command: words in, exit status out. 0: done; 1: refused, or nothing of that name; 2: the words make no
 * sense. Errors are sentences, on the stream for errors; with {@code --json} a refusal is problem+json's {@code errors}
 * among the results.
 */
final class Run {
    static final String SCOPE = "srv6";

    static final int REFUSED = 1;
    static final int MISUSED = 2;
    private static final int WIDTH = 100;
    private static final Logger LOG = LoggerFactory.getLogger(Run.class);

    /** The work around a command whose options are valid. */
    @FunctionalInterface
    interface Around {
        /** @return the exit status of the command */
        int run(ShellCommand command, String name, Callable<Integer> run) throws Exception;
    }

    private final ShellCommand command;
    private final Console console;

    private final Around around;

    private Run(ShellCommand command, Console console, Around around) {
        this.command = command;
        this.console = console;
        this.around = around;
    }

    static int of(ShellCommand command, Console console, List<String> words, Around around) {
        command.attach(console);
        return new Run(command, console, around).words(words);
    }

    static CommandLine line(ShellCommand command) {
        CommandLine line = new CommandLine(command);
        command.describe(line.getCommandSpec());
        return line.setCommandName(SCOPE + ":" + line.getCommandName())
                .setExpandAtFiles(false)
                .setUsageHelpWidth(WIDTH)
                .setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF));
    }

    private int words(List<String> words) {
        CommandLine line = line(command);
        try {
            line.parseArgs(words.toArray(String[]::new));
            if (line.isUsageHelpRequested()) {
                line.usage(new PrintWriter(console.out(), true, StandardCharsets.UTF_8));
                return 0;
            }
            return around.run(command, line.getCommandName(), command::run);
        } catch (ParameterException e) {
            return misused(line, e);
        } catch (ProblemException e) {
            return refused(e);
        } catch (NodeUnavailableException | StoreUnavailableException | AuditLogUnavailableException e) {
            console.err().println(e.getMessage());
            return REFUSED;
        } catch (IOException e) {
            console.err().println("cannot read or write: " + e.getMessage());
            return REFUSED;
        } catch (Exception e) {
            return fault(e);
        } finally {
            console.out().flush();
            console.err().flush();
        }
    }

    private int misused(CommandLine line, ParameterException e) {
        List<String> meant = e instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
        console.err()
                .println(line.getCommandName() + ": " + e.getMessage()
                        + (meant.isEmpty() ? "" : "; did you mean " + String.join(" or ", meant) + "?") + " ("
                        + line.getCommandName() + " --help)");
        return MISUSED;
    }

    private int refused(ProblemException e) {
        if (command.wantsJson()) {
            try {
                console.out().print(ShellCommand.pretty(ProblemJson.errors(e.problems())));
                return REFUSED;
            } catch (IOException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
        console.err()
                .print(
                        command.readsDocument()
                                ? ProblemText.inDocument(e.problems())
                                : ProblemText.ofWords(e.problems()));
        return REFUSED;
    }

    private int fault(Exception e) {
        String reference = UUID.randomUUID().toString();
        LOG.error("shell fault reference={}", reference, e);
        console.err().println("a fault of the controller; its log has the details under reference " + reference);
        return REFUSED;
    }
}
