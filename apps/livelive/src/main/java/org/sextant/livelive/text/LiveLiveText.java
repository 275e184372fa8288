// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.sextant.core.text.Columns;
import org.sextant.core.text.Moments;
import org.sextant.kit.app.IntentText;

/** Flows as tables, from the JSON of REST. */
public final class LiveLiveText implements IntentText {
    private static final Set<String> TROUBLE = Set.of("LOSSY", "SILENT", "DOWN");

    @Override
    public List<String> columns() {
        return List.of("from", "to", "paths", "troubles");
    }

    @Override
    public List<String> row(JsonNode view) {
        JsonNode flow = view.get("flow");
        return List.of(text(flow, "from"), text(flow, "to"), paths(view), troubles(view));
    }

    /** The directions and paths with a loss, the worst first. */
    private static String troubles(JsonNode view) {
        List<String> troubles = new ArrayList<>();
        for (JsonNode direction : view.get("directions")) {
            String way = text(direction, "ingress") + "-" + text(direction, "egress");
            if (TROUBLE.contains(text(direction, "state"))) {
                troubles.add(way + " " + text(direction, "state"));
            }
            for (JsonNode path : direction.get("paths")) {
                if (TROUBLE.contains(text(path, "state"))) {
                    troubles.add(way + " path " + text(path, "path") + " " + text(path, "state"));
                }
            }
        }
        return String.join(", ", troubles);
    }

    private static String paths(JsonNode view) {
        String found = view.path("found").asText("0");
        return view.has("wanted") ? found + " of " + text(view, "wanted") : found;
    }

    @Override
    public String summary(JsonNode view) {
        StringBuilder text = new StringBuilder(ways(view));
        view.get("events")
                .forEach(event -> text.append("  ")
                        .append(Moments.text(text(event, "at")))
                        .append("  ")
                        .append(text(event, "message"))
                        .append('\n'));
        return text.toString();
    }

    @Override
    public String plan(JsonNode plan) {
        StringBuilder text = new StringBuilder(ways(plan));
        plan.get("warnings")
                .forEach(warning ->
                        text.append("  warning: ").append(warning.asText()).append('\n'));
        return text.toString();
    }

    /** The directions and their paths, with counters if there are any. */
    private static String ways(JsonNode plan) {
        StringBuilder text = new StringBuilder();
        for (JsonNode direction : plan.get("directions")) {
            text.append("  ").append(text(direction, "from")).append(" -> ").append(text(direction, "to"));
            text.append(": ").append(text(direction, "ingress")).append(" copies, ");
            text.append(text(direction, "egress")).append(" delivers; flow ").append(text(direction, "flowId"));
            if (direction.has("delivered")) {
                text.append("; ").append(text(direction, "delivered")).append(" packets delivered");
            }
            text.append(direction.has("lost") ? ", " + text(direction, "lost") + " lost" : "");
            text.append(TROUBLE.contains(text(direction, "state")) ? ": " + text(direction, "state") + "\n" : "\n");
            text.append(paths(direction.get("paths"), direction.has("delivered")));
        }
        if (plan.path("delaySpreadMicros").asLong() > 0) {
            text.append("  delays of the paths differ by ")
                    .append(text(plan, "delaySpreadMicros"))
                    .append(" us\n");
        }
        return text.toString();
    }

    private static String paths(JsonNode paths, boolean counts) {
        Columns table = new Columns();
        if (counts) {
            table.row("path", "state", "wins", "sent", "first", "duplicate", "late", "lost", "behind", "nodes");
        } else {
            table.row("path", "bytes", "segments", "nodes");
        }
        for (JsonNode path : paths) {
            String nodes = join(path.get("nodes"));
            if (counts) {
                table.row(
                        text(path, "path"),
                        text(path, "state"),
                        Math.round(path.path("winShare").asDouble() * 1000) / 10.0 + " %",
                        path.path("sent").asText("-"),
                        text(path, "first"),
                        text(path, "duplicate"),
                        text(path, "late"),
                        text(path, "lost"),
                        path.has("behindFirstMedianMicros") ? text(path, "behindFirstMedianMicros") + " us" : "-",
                        nodes);
            } else {
                table.row(text(path, "path"), text(path, "encapsulationBytes"), join(path.get("segments")), nodes);
            }
        }
        return table.text("    ");
    }

    private static String text(JsonNode json, String field) {
        return json.path(field).asText("");
    }

    private static String join(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return String.join(" ", texts);
    }
}
