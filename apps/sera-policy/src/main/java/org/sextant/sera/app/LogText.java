// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import com.fasterxml.jackson.databind.JsonNode;
import org.sextant.core.text.Columns;

/** The log of a firewall as lines of a shell. */
final class LogText {
    private LogText() {}

    static String of(JsonNode view) {
        if (!view.get("heard").asBoolean()) {
            return "this controller gets no log events from nodes: the log of the agent has them\n";
        }
        Columns columns = new Columns();
        view.get("lines")
                .forEach(line -> columns.row(
                        line.get("at").asText(),
                        line.get("name").asText(),
                        verdict(line),
                        end(line, "source", "sourcePort"),
                        end(line, "destination", "destinationPort"),
                        "protocol " + line.get("protocol")));
        return view.get("seen") + " since " + view.get("since").asText()
                + more(view, "unlogged", "not reported by the node") + more(view, "lost", "lost in transit") + "\n"
                + columns.text("  ");
    }

    private static String more(JsonNode view, String field, String what) {
        return view.get(field).asLong() == 0 ? "" : ", " + view.get(field) + " " + what;
    }

    private static String verdict(JsonNode line) {
        return line.get("verdict").asText()
                + (line.has("dropped") ? " (" + line.get("dropped").asText() + ")" : "")
                + (line.path("audit").asBoolean() ? " (would drop)" : "");
    }

    private static String end(JsonNode line, String address, String port) {
        String text = line.get(address).asText();
        return line.has(port) ? (text.contains(":") ? "[" + text + "]" : text) + ":" + line.get(port) : text;
    }
}
