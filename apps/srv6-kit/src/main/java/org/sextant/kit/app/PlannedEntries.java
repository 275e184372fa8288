// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.sextant.core.intent.Plan;
import org.sextant.core.text.Columns;

/** A plan as its entries and warnings only. */
final class PlannedEntries {
    private PlannedEntries() {}

    static ObjectNode of(Plan plan) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode entries = json.putArray("entries");
        plan.entries()
                .forEach(placed -> entries.addObject()
                        .put("node", placed.node())
                        .put("table", placed.entry().key().table())
                        .put("match", placed.entry().key().match())
                        .put("action", placed.entry().actionText()));
        ArrayNode warnings = json.putArray("warnings");
        plan.warnings().forEach(warnings::add);
        return json;
    }

    static String text(JsonNode plan) {
        Columns table = new Columns().row("node", "table", "match", "action");
        plan.path("entries")
                .forEach(entry -> table.row(
                        entry.path("node").asText(),
                        entry.path("table").asText(),
                        entry.path("match").asText(),
                        entry.path("action").asText()));
        StringBuilder text = new StringBuilder(table.text(""));
        plan.path("warnings")
                .forEach(warning ->
                        text.append("warning: ").append(warning.asText()).append('\n'));
        return text.toString();
    }
}
