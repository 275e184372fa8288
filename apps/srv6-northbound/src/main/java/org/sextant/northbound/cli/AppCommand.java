// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.sextant.core.intent.IntentStatus;
import org.sextant.kit.app.AppIntents;
import org.sextant.kit.app.AppWords;
import org.sextant.kit.app.Filter;
import org.sextant.kit.app.Form;
import org.sextant.kit.app.Operation;
import org.sextant.kit.app.ScopedApp;
import org.sextant.kit.app.SrApp;
import org.sextant.kit.app.Word;
import org.sextant.northbound.app.PostBody;
import org.sextant.northbound.app.Query;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** A command on the intents of an app, whichever it is. Tab knows the app's ids, hosts and nodes. */
public abstract class AppCommand<I> extends ShellCommand {
    static final String FILE = "--file";

    /** After {@link #enter} of an app with another above it, the part that belongs to the one that was typed. */
    SrApp<I> app;

    private final Optional<AppWords> above;

    protected AppCommand(SrApp<I> app) {
        this.app = app;
        this.above = app.words().within();
    }

    /** Makers of the commands of an app: one that lists, then those that show, add, explain and remove. */
    static <I> List<Supplier<? extends ShellCommand>> all(SrApp<I> app) {
        return List.of(
                () -> new AppList<>(app),
                () -> new AppShow<>(app),
                () -> new AppAdd<>(app),
                () -> new AppExplain<>(app),
                () -> new AppRemove<>(app));
    }

    /** How many arguments stand before those that the command takes of its own. */
    final int shift() {
        return above.isPresent() ? 1 : 0;
    }

    /** The first argument says below which intent of the app above all of this is, if there is one. */
    final void addAbove(CommandSpec spec) {
        above.ifPresent(words -> spec.addPositional(PositionalParamSpec.builder()
                .index("0")
                .arity("1")
                .required(true)
                .paramLabel(words.label())
                .type(List.class)
                .auxiliaryTypes(String.class)
                .description("The " + words.one() + "'s id; " + Run.SCOPE + ":" + words.listCommand() + " lists them.")
                .build()));
    }

    /** @throws org.sextant.core.ProblemException if the named object is not there */
    final void enter(CommandSpec spec) {
        if (above.isPresent()) {
            app = ScopedApp.of(app, typed(spec).get(0));
        }
    }

    @Override
    protected String resource() {
        return app.words().address();
    }

    @Override
    Iterable<String> names(String label, List<String> before) {
        return switch (label) {
            case "HOST" -> app.intents().network().hosts().keySet();
            case "NODE" -> app.intents().network().nodes().keySet();
            default ->
                label.equals(app.words().label())
                        ? ids(before)
                        : above.filter(words -> words.label().equals(label))
                                .<Iterable<String>>map(words -> ids(app.above()))
                                .orElseGet(() -> offered(label));
        };
    }

    private List<String> ids(List<String> before) {
        if (above.isEmpty()) {
            return ids(app.intents());
        }
        return before.isEmpty() || app.above().find(before.get(0)).isEmpty()
                ? List.of()
                : ids(ScopedApp.of(app, before.get(0)).intents());
    }

    private static List<String> ids(AppIntents<?> intents) {
        return intents.list().stream().map(IntentStatus::id).toList();
    }

    private List<String> offered(String label) {
        return words().filter(word -> word.label().equals(label))
                .flatMap(word -> word.offers().stream())
                .toList();
    }

    private Stream<Word> words() {
        return app.form().stream().flatMap(form -> form.words().stream());
    }

    /** Sets the command's name and purpose. */
    final void called(CommandSpec spec, String name, Operation operation) {
        List<String> usage = app.words().usage(operation);
        List<String> footer = new ArrayList<>(List.of("", usage.size() == 1 ? "Example:" : "Examples:"));
        usage.forEach(words -> footer.add(("  " + Run.SCOPE + ":" + name + " " + words).stripTrailing()));
        spec.name(name).usageMessage().description(app.words().help(operation)).footer(footer.toArray(String[]::new));
    }

    /** A command that goes on from the one that shows an intent. */
    final String name(String suffix) {
        return app.words().command() + suffix;
    }

    final void addId(CommandSpec spec) {
        spec.addPositional(PositionalParamSpec.builder()
                .index(String.valueOf(shift()))
                .arity("1")
                .required(true)
                .paramLabel(app.words().label())
                .type(List.class)
                .auxiliaryTypes(String.class)
                .description("The " + app.words().one() + "'s id; " + list() + " lists them.")
                .build());
    }

    final String list() {
        return Run.SCOPE + ":" + app.words().listCommand();
    }

    /** The typed arguments, of which some may be left out, without the id of the intent above. */
    final List<String> arguments(CommandSpec spec) {
        List<String> typed = typed(spec);
        return typed.subList(Math.min(shift(), typed.size()), typed.size());
    }

    private static List<String> typed(CommandSpec spec) {
        List<String> typed = new ArrayList<>();
        for (PositionalParamSpec argument : spec.positionalParameters()) {
            List<String> words = argument.getValue();
            if (words != null) {
                typed.addAll(words);
            }
        }
        return typed;
    }

    final void addFilters(CommandSpec spec) {
        for (Filter<I> filter : app.filters()) {
            spec.addOption(OptionSpec.builder("--" + filter.name())
                    .paramLabel(filter.label())
                    .type(String.class)
                    .description(filter.help())
                    .build());
        }
    }

    /** @throws org.sextant.core.ProblemException naming the filter whose value is not valid */
    final Query<I> query(CommandSpec spec) {
        return Query.parse(app, name -> spec.findOption("--" + name).getValue());
    }

    /** Options and arguments that say an intent. */
    final void addForm(CommandSpec spec) {
        spec.addOption(OptionSpec.builder("-f", FILE)
                .paramLabel("FILE")
                .type(String.class)
                .description("The JSON of a " + app.words().one()
                        + ", or of a list; - is the standard input. In the shell the"
                        + " file is on the controller's machine, with \"sextant cli\" on this one.")
                .build());
        int index = 0;
        for (Word word : words().toList()) {
            if (word.option().isEmpty()) {
                addArgument(spec, word, index++);
            } else {
                spec.addOption(OptionSpec.builder(word.option())
                        .paramLabel(word.label())
                        .arity(word.label().isEmpty() ? "0" : "1")
                        .type(word.label().isEmpty() ? boolean.class : String.class)
                        .description(word.description())
                        .build());
            }
        }
    }

    private void addArgument(CommandSpec spec, Word word, int index) {
        spec.addPositional(PositionalParamSpec.builder()
                .index(word.many() ? shift() + index + "..*" : String.valueOf(shift() + index))
                .arity(word.many() ? "0..*" : "0..1")
                .paramLabel(argumentLabel(word, index))
                .type(List.class)
                .auxiliaryTypes(String.class)
                .description(word.description())
                .build());
    }

    /** The places of the ids that a command takes, as picocli writes them. */
    final String allBehind() {
        return shift() + "..*";
    }

    /** The label of an argument in the usage. */
    String argumentLabel(Word word, int index) {
        return word.label();
    }

    final boolean fileGiven(CommandSpec spec) {
        return spec.findOption(FILE).getValue() != null;
    }

    /** True if options or arguments say something that a document says, too. */
    final boolean saidInWords(CommandSpec spec) {
        return !arguments(spec).isEmpty()
                || words().filter(word -> !word.option().isEmpty())
                        .anyMatch(word -> given(spec.findOption(word.option())));
    }

    private static boolean given(OptionSpec option) {
        Object value = option.getValue();
        return value != null && !value.equals(false);
    }

    /** The intent that was said in words. */
    final I said(CommandSpec spec, String asking) {
        Form form = app.form().orElseThrow(() -> misuse(asking));
        List<String> arguments = arguments(spec);
        if (arguments.size() < form.least()) {
            throw misuse(asking);
        }
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        int index = 0;
        for (Word word : form.words()) {
            List<String> typed = word.option().isEmpty()
                    ? arguments.subList(
                            Math.min(index, arguments.size()),
                            Math.min(word.many() ? arguments.size() : ++index, arguments.size()))
                    : typed(spec.findOption(word.option()));
            if (!typed.isEmpty()) {
                put(word, json, typed);
            }
        }
        form.unsaid().accept(json);
        return app.decode(json);
    }

    private static List<String> typed(OptionSpec option) {
        return given(option) ? List.of(option.getValue().toString()) : List.of();
    }

    private void put(Word word, ObjectNode json, List<String> typed) {
        try {
            word.becoming().put(json, typed);
        } catch (IllegalArgumentException e) {
            throw misuse((word.option().isEmpty() ? word.label() : word.option()) + ": " + e.getMessage());
        }
    }

    /** The use of a document. */
    @FunctionalInterface
    interface Use<I, T> {
        T of(PostBody<I> posted) throws IOException;
    }

    /** Reads the document of a file, which is open as long as it is used. */
    final <T> T document(CommandSpec spec, Use<I, T> use) throws IOException {
        if (saidInWords(spec)) {
            throw misuse("a file says all of it: leave out what else describes the "
                    + app.words().one());
        }
        try (InputStream stream = Documents.open(spec.findOption(FILE).getValue(), in())) {
            return use.of(PostBody.read(app, stream));
        }
    }

    /** The missing arguments where too few are given. */
    final String asking() {
        return app.form()
                .map(form -> form.asking() + ", or a document with " + FILE)
                .orElse("a document with " + FILE);
    }
}
