// SPDX-License-Identifier: Apache-2.0
package org.sextant.edge.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.sextant.core.text.Columns;

/** The edge as lines of a shell. */
final class EdgeText {
    private EdgeText() {}

    static String joined(JsonNode texts) {
        List<String> all = new ArrayList<>();
        texts.forEach(text -> all.add(text.asText()));
        return String.join(",", all);
    }

    static String all(JsonNode view) {
        StringBuilder text = new StringBuilder();
        view.get("nodes").forEach(node -> text.append(node(node)));
        if (view.get("nodes").isEmpty()) {
            text.append("no nodes; load a network description\n");
        }
        view.get("warnings")
                .forEach(warning ->
                        text.append("warning: ").append(warning.asText()).append('\n'));
        return text.toString();
    }

    static String node(JsonNode node) {
        Columns ports = new Columns();
        node.get("ports")
                .forEach(port -> ports.row(
                        node.get("node").asText() + "/" + port.get("port"),
                        port.get("role").asText(),
                        why(port),
                        port.get("up").asBoolean() ? "up" : "down",
                        dropped(port),
                        peers(port)));
        return node.get("node").asText() + ": " + filter(node) + "\n" + ports.text("  ");
    }

    private static String filter(JsonNode node) {
        if (!node.get("filters").asBoolean()) {
            if (node.has("refused")) {
                return "NOT FILTERED: it refuses " + node.get("refused").asText();
            }
            return node.get("connected").asBoolean()
                    ? "NOT FILTERED: its agent or switch does not offer it; upgrade it"
                    : "not known: it is not connected";
        }
        return "edge filter (built in)"
                + (node.get("dropSrh").asBoolean() ? ", drops every SRH" : "")
                + (node.get("knownSources").asBoolean() ? ", SIDs for known sources only" : "")
                + (node.get("read").asBoolean() ? "" : "; its counters were not read");
    }

    private static String why(JsonNode port) {
        String what = port.path("what").asText();
        return switch (port.get("because").asText()) {
            case "description" -> "as described" + (what.isEmpty() ? "" : ", " + what);
            case "link" -> "link " + what;
            case "host" -> "host " + what;
            default -> "no link";
        };
    }

    private static String dropped(JsonNode port) {
        List<String> reasons = new ArrayList<>();
        port.path("dropped").fields().forEachRemaining(reason -> {
            if (reason.getValue().get("packets").asLong() > 0) {
                reasons.add(reason.getKey() + " " + reason.getValue().get("packets") + " packets "
                        + reason.getValue().get("bytes") + " bytes");
            }
        });
        return !port.has("dropped")
                ? ""
                : reasons.isEmpty() ? "dropped nothing" : "dropped " + String.join(", ", reasons);
    }

    private static String peers(JsonNode port) {
        List<String> open = new ArrayList<>();
        port.get("peers")
                .forEach(peer -> open.add(
                        peer.get("peer").asText() + " " + peer.get("source").asText()
                                + (peer.has("packets") ? " " + peer.get("packets") + " packets" : "")));
        return open.isEmpty() ? "" : "open for " + String.join(", ", open);
    }
}
