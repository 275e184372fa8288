// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Completions of Tab: the command's name, its options, and for arguments the command's names for their label. */
final class WordCompleter implements Completer {
    private final Supplier<? extends ShellCommand> maker;
    private final String name;
    private final boolean scoped;

    /** @param scoped the name counts without {@code srv6:} */
    WordCompleter(Supplier<? extends ShellCommand> maker, String name, boolean scoped) {
        this.maker = maker;
        this.name = name;
        this.scoped = scoped;
    }

    @Override
    public int complete(Session session, CommandLine line, List<String> candidates) {
        return new StringsCompleter(offers(session, line)).complete(session, line, candidates);
    }

    private Set<String> offers(Session session, CommandLine line) {
        int index = line.getCursorArgumentIndex();
        String qualified = Run.SCOPE + ":" + name;
        if (index == 0) {
            return scoped ? Set.of(name) : Set.of(name, qualified);
        }
        List<String> words = List.of(line.getArguments());
        if (!words.get(0).equals(qualified)
                && !session.resolveCommand(words.get(0)).equals(qualified)) {
            return Set.of();
        }
        return offers(words.subList(1, Math.min(index, words.size())), index < words.size() ? words.get(index) : "");
    }

    /** @param before the words between the command's name and the one that is being typed */
    Set<String> offers(List<String> before, String typed) {
        ShellCommand command = maker.get();
        CommandSpec spec = Run.line(command).getCommandSpec();
        List<String> arguments = new ArrayList<>();
        OptionSpec waiting = null;
        for (String word : before) {
            if (waiting != null) {
                waiting = null;
            } else if (word.startsWith("-")) {
                OptionSpec option = spec.findOption(word);
                waiting = option != null && option.arity().max() > 0 ? option : null;
            } else {
                arguments.add(word);
            }
        }
        if (waiting != null) {
            return names(command, waiting, arguments);
        }
        return typed.startsWith("-") ? options(spec) : argument(command, spec, arguments);
    }

    private static Set<String> argument(ShellCommand command, CommandSpec spec, List<String> before) {
        int index = before.size();
        Set<String> names = new TreeSet<>();
        for (PositionalParamSpec argument : spec.positionalParameters()) {
            if (argument.index().min() <= index && index <= argument.index().max()) {
                names.addAll(names(command, argument, before));
            }
        }
        return names;
    }

    private static Set<String> names(ShellCommand command, ArgSpec argument, List<String> before) {
        Set<String> names = new TreeSet<>();
        if (argument.completionCandidates() != null) {
            argument.completionCandidates().forEach(names::add);
        }
        command.names(argument.paramLabel(), before).forEach(names::add);
        return names;
    }

    private static Set<String> options(CommandSpec spec) {
        Set<String> names = new TreeSet<>();
        spec.options().forEach(option -> names.add(option.longestName()));
        return names;
    }
}
