// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sextant.northbound.events.LogEvent;
import org.sextant.northbound.events.LogKeeper;
import org.sextant.northbound.events.LogKind;
import org.sextant.northbound.events.LogQuery;
import org.sextant.northbound.events.Severity;
import org.sextant.northbound.view.LogView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code srv6:log}. */
@Command(
        name = "log",
        description =
                "Lists what happened to links, nodes, intents and paths since this controller started; newest first.",
        footer = {
            "",
            "Examples:",
            "  srv6:log",
            "  srv6:log --kind node --severity warning",
            "  srv6:log --subject policy/gold"
        })
final class LogCommand extends NetworkCommand {
    @Option(
            names = "--kind",
            paramLabel = "KIND",
            description = "Only link, node, intent, path, drift, audit, cluster or controller.")
    private @Nullable String kind;

    @Option(
            names = "--subject",
            paramLabel = "SUBJECT",
            description = "Only of this kind of things or of this one, as policy or policy/gold.")
    private @Nullable String subject;

    @Option(names = "--severity", paramLabel = "SEVERITY", description = "Only info, warning or error, and worse.")
    private @Nullable String severity;

    @Option(names = "--since", paramLabel = "TIME", description = "Only from this time on, as 2026-11-23T10:00:00Z.")
    private @Nullable String since;

    @Option(names = "--limit", paramLabel = "N", description = "At most so many; 100 if it is left out.")
    private @Nullable String limit;

    @Option(names = "--after", paramLabel = "NUMBER", description = "Only older ones than this event.")
    private @Nullable String after;

    private final LogKeeper keeper;

    LogCommand(NetworkCommands controller) {
        super(controller);
        this.keeper = controller.log;
    }

    @Override
    protected boolean changes() {
        return false;
    }

    @Override
    protected int run() throws IOException {
        LogQuery query = LogQuery.parse(kind, subject, severity, since, limit, after);
        List<LogEvent> events = keeper.find(query);
        ArrayNode view = LogView.of(events);
        print(
                view,
                events.isEmpty()
                        ? "nothing happened that fits\n"
                        : JsonTable.of(view, "number", "time", "kind", "severity", "count", "text"));
        LogView.next(events, query).ifPresent(next -> note(Paging.more(next)));
        return 0;
    }

    @Override
    protected Iterable<String> names(String label) {
        return switch (label) {
            case "KIND" -> Stream.of(LogKind.values()).map(LogKind::word).toList();
            case "SEVERITY" -> Stream.of(Severity.values()).map(Severity::word).toList();
            default -> super.names(label);
        };
    }
}
