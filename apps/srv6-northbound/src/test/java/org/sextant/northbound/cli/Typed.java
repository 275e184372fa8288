// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.sextant.kit.app.SrApp;

/** The result of a typed command, without a shell around it. */
public record Typed(int status, String out, String err) {

    public static Typed run(ShellCommand command, String... words) {
        return run(command, "", words);
    }

    public static Typed run(ShellCommand command, String input, String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console = new Console(
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        int status = Run.of(command, console, List.of(words), (one, name, run) -> run.call());
        return new Typed(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** A command on the intents of an app, by its name without {@code srv6:}. */
    public static ShellCommand command(SrApp<?> app, String name) {
        return AppCommand.all(app).stream()
                .filter(maker -> Run.line(maker.get()).getCommandName().equals(Run.SCOPE + ":" + name))
                .map(Supplier::get)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name));
    }

    /** The completions of Tab behind these words for the one that is being typed. */
    public static Set<String> tab(ShellCommand command, List<String> before, String typed) {
        return new WordCompleter(() -> command, "", false).offers(before, typed);
    }

    public JsonNode json() {
        try {
            return new ObjectMapper().readTree(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
