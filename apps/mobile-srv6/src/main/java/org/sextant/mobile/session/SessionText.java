// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.session;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.sextant.core.text.Columns;
import org.sextant.kit.app.IntentText;

/** Sessions as lines of a shell. */
final class SessionText implements IntentText {
    @Override
    public List<String> columns() {
        return List.of("ue", "qfi", "uplink", "downlink");
    }

    @Override
    public List<String> row(JsonNode view) {
        JsonNode session = view.get("session");
        return List.of(
                ues(session),
                session.get("qfi").asText(),
                tunnel(session.get("uplink")),
                session.has("downlink") ? tunnel(session.get("downlink")) : "not known yet");
    }

    private static String ues(JsonNode session) {
        List<String> ues = new ArrayList<>();
        session.path("ue").forEach(ue -> ues.add(ue.asText()));
        return String.join(", ", ues);
    }

    private static String tunnel(JsonNode tunnel) {
        return tunnel.get("endpoint").asText() + " "
                + String.format("0x%x", tunnel.get("teid").asLong());
    }

    @Override
    public String summary(JsonNode view) {
        JsonNode session = view.get("session");
        Columns lines = new Columns();
        if (session.has("ue")) {
            lines.row("UE", ues(session));
        }
        lines.row("QFI", session.get("qfi").asText() + (session.get("rqi").asBoolean() ? ", reflective" : ""));
        List<String> row = row(view);
        lines.row("uplink", row.get(2), counted(view.at("/counters/uplink")));
        lines.row("downlink", row.get(3), counted(view.at("/counters/downlink")));
        JsonNode forwarding = session.path("forwarding");
        if (!forwarding.isMissingNode()) {
            lines.row("forwarding", tunnel(forwarding.get("from")) + " to " + tunnel(forwarding.get("to")));
        }
        return lines.text("  ");
    }

    private static String counted(JsonNode counters) {
        return counters.path("read").asBoolean()
                ? counters.get("packets") + " packets, " + counters.get("bytes") + " bytes"
                : counters.isMissingNode() ? "" : "unread";
    }

    @Override
    public String plan(JsonNode plan) {
        StringBuilder text = new StringBuilder();
        text.append("slice ").append(plan.path("slice").asText());
        text.append(", class ").append(plan.path("class").asText());
        JsonNode arguments = plan.path("arguments");
        if (!arguments.isMissingNode()) {
            text.append(", Args.Mob.Session ").append(arguments.get("hex").asText());
        }
        Columns rows = new Columns().row("node", "table", "match", "action");
        plan.path("entries")
                .forEach(entry -> rows.row(
                        entry.get("node").asText(),
                        entry.get("table").asText(),
                        entry.get("match").asText(),
                        entry.get("action").asText()));
        return text.append('\n').append(rows.text("  ")).toString();
    }
}
