// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A command of the shell, {@code srv6:} and the name that its annotation gives it. Options and arguments are picocli's;
 * a bean is made for every run. The label of an argument selects the names that Tab offers for it, see {@link #names}.
 */
public abstract class ShellCommand {
    @Option(names = "--json", description = "Print JSON instead of text.", order = 100)
    boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this.",
            order = 101)
    boolean help;

    @Spec
    CommandSpec spec;

    /** Set before it runs. */
    @SuppressWarnings("NullAway.Init")
    private Console console;

    /** Adds the parts of the description that annotations cannot have, as they are known at run time only. */
    void describe(CommandSpec about) {
        // The annotations say all of it.
    }

    void attach(Console to) {
        console = to;
    }

    /**
     * The command proper.
     *
     * @return its exit status: 0 if all went well
     * @throws org.sextant.core.ProblemException if the controller refuses
     */
    protected abstract int run() throws Exception;

    /** The names that may stand where the usage has a label such as NODE, as of now. */
    protected Iterable<String> names(String label) {
        return List.of();
    }

    /**
     * The same where arguments stand before it.
     *
     * @param before these, without options
     */
    Iterable<String> names(String label, List<String> before) {
        return names(label);
    }

    /** False if it changes nothing, whatever is typed: then the audit trail has no line of it. */
    protected boolean changes() {
        return true;
    }

    /** True if, as it was typed, it is a dry run. */
    protected boolean isDryRun() {
        return false;
    }

    /** The subject, as an address below /srv6. */
    protected String resource() {
        return spec.name();
    }

    /** True if a pointer into a document is of use to the user: the document is theirs. */
    protected boolean readsDocument() {
        return false;
    }

    protected InputStream in() {
        return console.in();
    }

    /** As {@link Statements#run}, in the session that this was typed into. */
    final int execute(String statement) throws StatementException {
        return console.statements().run(statement);
    }

    protected PrintStream out() {
        return console.out();
    }

    /** A note for people, which a program that reads the results does not need. */
    protected void note(String text) {
        console.err().println(text);
    }

    protected boolean wantsJson() {
        return json;
    }

    /** As JSON if that was asked for, else as {@code text}, which ends with a line break if it is not empty. */
    protected void print(JsonNode view, String text) throws IOException {
        console.out().print(json ? pretty(view) : text);
        console.out().flush();
    }

    static String pretty(JsonNode view) throws IOException {
        return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(view) + "\n";
    }

    /** The command line is wrong. */
    protected ParameterException misuse(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
