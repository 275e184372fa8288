// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.sextant.core.text.Columns;
import org.sextant.kit.app.IntentText;

/** Slices as lines of a shell. */
final class SliceText implements IntentText {
    @Override
    public List<String> columns() {
        return List.of("access", "core", "mode", "takes", "bytes");
    }

    @Override
    public List<String> row(JsonNode view) {
        JsonNode slice = view.get("slice");
        JsonNode ways = view.get("ways");
        return List.of(
                slice.at("/access/gateway").asText(),
                core(slice),
                slice.get("mode").asText(),
                takes(slice),
                ways.isEmpty() ? "" : ways.get(0).get("encapsulationBytes").toString());
    }

    private static String core(JsonNode slice) {
        JsonNode core = slice.get("core");
        return core.has("anchor")
                ? core.get("anchor").asText() + " (anchor)"
                : core.get("gateway").asText();
    }

    private static String takes(JsonNode slice) {
        int matches = slice.path("match").size();
        List<String> takes = new ArrayList<>(List.of("sessions"));
        if (matches > 0) {
            takes.add(matches == 1 ? "a match" : matches + " matches");
        }
        if (slice.get("default").asBoolean()) {
            takes.add("the rest");
        }
        return String.join(", ", takes);
    }

    @Override
    public String summary(JsonNode view) {
        Columns ways = new Columns();
        view.get("ways")
                .forEach(way -> ways.row(
                        way.get("direction").asText(),
                        way.get("from").asText() + " -> " + way.get("to").asText(),
                        way.get("packets").asText(),
                        texts(way.get("segments"))));
        Columns counted = new Columns();
        view.path("counters")
                .fields()
                .forEachRemaining(gateway -> counted.row("at " + gateway.getKey(), counted(gateway.getValue())));
        return ways.text("  ") + counted.text("  ");
    }

    private static String counted(JsonNode gateway) {
        if (!gateway.get("read").asBoolean()) {
            return "unread";
        }
        List<String> dropped = new ArrayList<>();
        gateway.get("dropped")
                .fields()
                .forEachRemaining(reason -> dropped.add(reason.getKey() + " " + reason.getValue()));
        return gateway.get("packets") + " packets, " + gateway.get("bytes") + " bytes"
                + (dropped.isEmpty() ? "" : "; dropped of all slices: " + String.join(", ", dropped));
    }

    @Override
    public String plan(JsonNode plan) {
        StringBuilder text = new StringBuilder();
        for (JsonNode way : plan.path("ways")) {
            text.append(way.get("direction").asText())
                    .append(": ")
                    .append(way.get("from").asText())
                    .append(" to ")
                    .append(way.get("to").asText())
                    .append(", GTP-U is ")
                    .append(way.get("packets").asText())
                    .append("\n  ")
                    .append(bytes(way))
                    .append('\n');
            Columns hops = new Columns();
            way.get("hops")
                    .forEach(hop -> hops.row(
                            hop.get("node").asText(),
                            hop.get("destinationAddress").asText(),
                            hop.get("behavior").asText()));
            text.append(hops.text("    "));
        }
        plan.path("warnings")
                .forEach(warning ->
                        text.append("warning: ").append(warning.asText()).append('\n'));
        return text.toString();
    }

    private static String bytes(JsonNode way) {
        int more = way.get("moreThanGtpBytes").asInt();
        String cost = way.get("encapsulationBytes") + " bytes in front, "
                + (more < 0 ? -more + " fewer than" : more == 0 ? "as many as" : more + " more than") + " GTP-U";
        return way.has("argumentsAt") ? cost + ", arguments at bit " + way.get("argumentsAt") : cost;
    }

    private static String texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return String.join(" ", texts);
    }
}
