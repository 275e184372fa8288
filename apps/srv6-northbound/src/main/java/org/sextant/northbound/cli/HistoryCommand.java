// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sextant.core.net.Link;
import org.sextant.core.text.Columns;
import org.sextant.core.text.Moments;
import org.sextant.northbound.history.HistoryQuery;
import org.sextant.northbound.history.HistoryView;
import org.sextant.northbound.history.Lookback;
import org.sextant.northbound.history.SparkText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code srv6:history}. */
@Command(
        name = "history",
        description = "Shows what links and intents carried in the last hour, or the states of a moment of it.",
        footer = {
            "",
            "Examples:",
            "  srv6:history",
            "  srv6:history link:l1/1-l2/1 policy:gold --points 30",
            "  srv6:history --at 300",
            "  srv6:history --at 2026-11-23T10:00:00Z --json"
        })
final class HistoryCommand extends NetworkCommand {
    @Parameters(
            paramLabel = "THING",
            arity = "0..*",
            description = "Such as link:l1/1-l2/1 or policy:gold. Without any, the first links.")
    private List<String> things = new ArrayList<>();

    @Option(names = "--points", paramLabel = "N", description = "In so many points, 1 to 360; 60 if it is left out.")
    private @Nullable String points;

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "The states of then: a time as 2026-11-23T10:00:00Z, or how many seconds ago.")
    private @Nullable String at;

    private final NetworkCommands controller;

    HistoryCommand(NetworkCommands controller) {
        super(controller);
        this.controller = controller;
    }

    @Override
    protected boolean changes() {
        return false;
    }

    @Override
    protected Iterable<String> names(String label) {
        return label.equals("THING") ? links(controller.keeper.lookback()) : super.names(label);
    }

    private static List<String> links(Lookback now) {
        return now.network().links().stream()
                .map(Link::id)
                .map(id -> "link:" + id)
                .toList();
    }

    @Override
    protected int run() throws IOException {
        Lookback now = controller.keeper.lookback();
        if (at != null) {
            if (!things.isEmpty() || points != null) {
                throw misuse("--at shows all states, and no values");
            }
            ObjectNode view = HistoryView.states(now, at);
            print(view, states(view));
            return 0;
        }
        List<String> wanted =
                things.isEmpty() ? links(now).stream().limit(HistoryQuery.MOST).toList() : things;
        if (wanted.isEmpty()) {
            note("there is no link yet");
            return 0;
        }
        ObjectNode view = HistoryView.of(now, HistoryQuery.parse(String.join(",", wanted), points, now.kinds()));
        print(view, series(view));
        return 0;
    }

    private static String series(JsonNode view) {
        Columns columns = new Columns().row("of", "quantity", "min", "now", "max", "last hour");
        for (JsonNode thing : view.get("things")) {
            for (JsonNode one : thing.get("series")) {
                SparkText spark = SparkText.of(one.get("values"));
                columns.row(
                        thing.get("of").asText(),
                        one.get("quantity").asText(),
                        spark.min(),
                        spark.last(),
                        spark.max(),
                        spark.line());
            }
            if (thing.get("series").isEmpty()) {
                columns.row(thing.get("of").asText(), "nothing was measured", "", "", "", "");
            }
        }
        return columns.text("");
    }

    private static String states(JsonNode view) {
        StringBuilder text = new StringBuilder("as it was at ")
                .append(Moments.text(view.get("at").asText()))
                .append(", ")
                .append(view.get("secondsAgo").asLong())
                .append(" s ago\n");
        text.append(JsonTable.of(view.get("nodes"), "name", "state"));
        text.append(JsonTable.of(view.get("links"), "id", "up", "bitsPerSecond"));
        if (view.has("intents")) {
            text.append(JsonTable.of(view.get("intents"), "kind", "id", "state"));
        }
        return text.toString();
    }
}
