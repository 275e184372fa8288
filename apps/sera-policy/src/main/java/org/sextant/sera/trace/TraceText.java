// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.trace;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.sextant.core.text.Columns;

/** The result of a trace, as lines of a shell. */
public final class TraceText {
    private TraceText() {}

    public static String of(JsonNode answer) {
        return (answer.has("verdict") ? here(answer) : "the packet does not come to this firewall\n") + way(answer);
    }

    private static String here(JsonNode answer) {
        StringBuilder text = new StringBuilder();
        text.append(answer.get("verdict").asText());
        if (answer.has("rule")) {
            JsonNode rule = answer.get("rule");
            text.append(", says rule ").append(rule.get("name").asText());
            text.append(rule.has("index") ? " (/rules/" + rule.get("index") + ")" : "");
        }
        text.append(answer.has("enforced") ? "; it only watches, and lets the packet pass" : "")
                .append('\n');
        if (answer.has("dropped")) {
            text.append("dropped as ").append(answer.get("dropped").asText()).append(": ");
            text.append(answer.get("why").asText()).append('\n');
        }
        answer.path("passed")
                .forEach(passed -> text.append("  not ")
                        .append(passed.get("name").asText())
                        .append(": ")
                        .append(passed.get("differs").asText())
                        .append(" differs\n"));
        for (String when : List.of("before", "after")) {
            JsonNode header = answer.path(when);
            if (!header.isMissingNode()) {
                text.append(when)
                        .append(": to ")
                        .append(header.get("destinationAddress").asText())
                        .append(header.has("segmentsLeft") ? ", segments left " + header.get("segmentsLeft") : "")
                        .append('\n');
                text.append(header.has("hex") ? "  " + header.get("hex").asText() + "\n" : "");
            }
        }
        return text.toString();
    }

    private static String way(JsonNode answer) {
        if (!answer.has("hops")) {
            return "";
        }
        Columns columns = new Columns();
        answer.get("hops")
                .forEach(hop -> columns.row(
                        hop.get("node").asText(),
                        hop.get("behavior").asText(),
                        hop.path("before").path("destinationAddress").asText("from its host"),
                        hop.at("/before/segmentsLeft").asText("-"),
                        said(hop.path("firewall"))));
        JsonNode end = answer.get("end");
        return "along policy " + answer.get("policy").asText() + ":\n" + columns.text("  ")
                + (end.get("outcome").asText().equals("delivered")
                        ? "delivered at " + end.get("node").asText() + " to "
                                + end.get("to").asText()
                        : end.get("outcome").asText() + ": " + end.get("why").asText())
                + "\n";
    }

    private static String said(JsonNode firewall) {
        return firewall.isMissingNode()
                ? ""
                : firewall.get("id").asText() + ": " + firewall.get("verdict").asText() + " by "
                        + firewall.at("/rule/name").asText()
                        + (firewall.has("enforced") ? ", watched only" : "");
    }
}
