// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.sextant.core.text.Columns;
import org.sextant.core.text.Moments;
import org.sextant.kit.app.SrApp;
import org.sextant.northbound.app.Removal;

/** Intents and their results for people, from the JSON that REST shows. */
final class AppText {
    private AppText() {}

    /** One line per intent. */
    static String list(SrApp<?> app, JsonNode views) {
        if (views.isEmpty()) {
            return "no " + app.words().calledMany() + "\n";
        }
        Columns table = new Columns().row(cells("id", "state", app.text().columns()));
        for (JsonNode view : views) {
            table.row(cells(text(view, "id"), text(view, "state"), app.text().row(view)));
        }
        return table.text("");
    }

    private static String[] cells(String id, String state, List<String> others) {
        List<String> cells = new ArrayList<>(List.of(id, state));
        cells.addAll(others);
        return cells.toArray(String[]::new);
    }

    /** One intent with all that stands against it. */
    static String of(SrApp<?> app, JsonNode view) {
        StringBuilder text = new StringBuilder(
                text(view, "id") + "  " + text(view, "state") + " since " + Moments.text(text(view, "since")) + "\n");
        text.append(app.text().summary(view));
        view.get("errors")
                .forEach(error -> text.append("  problem: ")
                        .append(text(error, "field"))
                        .append(' ')
                        .append(said(error))
                        .append('\n'));
        view.get("warnings")
                .forEach(warning ->
                        text.append("  warning: ").append(warning.textValue()).append('\n'));
        troubles(view.get("troubles"), text);
        return text.toString();
    }

    /** Entries that wait for a node that does not answer are one line per node: the cause, and their number. */
    private static void troubles(JsonNode troubles, StringBuilder text) {
        Map<String, Integer> waiting = new TreeMap<>();
        Map<String, String> causes = new TreeMap<>();
        for (JsonNode trouble : troubles) {
            String node = text(trouble, "waitsFor");
            if (node.isEmpty()) {
                text.append(trouble(trouble));
            } else {
                waiting.merge(node, 1, Integer::sum);
                if (node.equals(text(trouble, "node"))) {
                    causes.put(node, text(trouble, "reason"));
                }
            }
        }
        waiting.forEach((node, count) -> text.append("  waits: ")
                .append(causes.getOrDefault(node, node + " does not answer"))
                .append("; ")
                .append(count == 1 ? "1 entry waits" : count + " entries wait")
                .append('\n'));
    }

    private static String trouble(JsonNode trouble) {
        return "  " + text(trouble, "state") + ": " + text(trouble, "node") + " " + text(trouble, "table") + " "
                + text(trouble, "match") + (trouble.has("reason") ? ": " + text(trouble, "reason") : "") + "\n";
    }

    /** The results of a list. */
    static String ofList(JsonNode receipt) {
        StringBuilder text = new StringBuilder();
        text.append(receipt.get("created"))
                .append(" created, ")
                .append(receipt.get("unchangedOrReplaced"))
                .append(" unchanged or replaced, ")
                .append(receipt.get("pending"))
                .append(" not (fully) installed yet, ")
                .append(receipt.get("rejected"))
                .append(" rejected\n");
        receipt.get("items").forEach(item -> text.append(errors(item)));
        int leftOut = receipt.get("errorsLeftOut").intValue();
        return leftOut == 0 ? text.toString() : text + "  and " + leftOut + " more that were rejected\n";
    }

    /** The results that a list would have. */
    static String ofTried(SrApp<?> app, JsonNode tried) {
        StringBuilder text = new StringBuilder();
        int index = 0;
        for (JsonNode item : tried.get("items")) {
            text.append('/').append(index++).append('\n');
            text.append(item.has("errors") ? errors(item) : app.text().plan(item));
        }
        return text.toString();
    }

    private static String errors(JsonNode item) {
        StringBuilder text = new StringBuilder();
        item.path("errors")
                .forEach(error -> text.append("  ")
                        .append(text(error, "field"))
                        .append(": ")
                        .append(said(error))
                        .append('\n'));
        return text.toString();
    }

    private static String said(JsonNode error) {
        return text(error, "message") + "; " + text(error, "remedy");
    }

    /** The removed intents. */
    static String of(SrApp<?> app, Removal removal) {
        if (removal.removed().isEmpty()) {
            return "nothing to remove\n";
        }
        return "removed " + named(app, removal.removed())
                + (removal.leaving().isEmpty()
                        ? "\n"
                        : ", but nodes may still have entries of " + named(app, removal.leaving())
                                + "; they go when the node can be written\n");
    }

    private static String named(SrApp<?> app, List<String> ids) {
        return ids.size() > 3 ? ids.size() + " " + app.words().many() : String.join(", ", ids);
    }

    private static String text(JsonNode json, String field) {
        return json.path(field).asText("");
    }
}
