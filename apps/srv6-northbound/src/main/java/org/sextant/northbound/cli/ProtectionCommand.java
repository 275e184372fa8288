// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.sextant.northbound.view.OutageView;
import org.sextant.northbound.view.ProtectionView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code srv6:protection}. */
@Command(
        name = "protection",
        description = "Shows which destinations nodes protect from what, and what is uncovered and why.",
        footer = {
            "",
            "Examples:",
            "  srv6:protection",
            "  srv6:protection l1 --json",
            "  srv6:protection --failed l2/2-l3/1"
        })
final class ProtectionCommand extends NetworkCommand {
    @Parameters(paramLabel = "NODE", arity = "0..1", description = "Only this node.")
    private @Nullable String node;

    @Option(
            names = "--failed",
            paramLabel = "LINK|NODE",
            description = "What would become of packets if this were lost now.")
    private @Nullable String failed;

    ProtectionCommand(NetworkCommands controller) {
        super(controller);
    }

    @Override
    protected boolean changes() {
        return false;
    }

    @Override
    protected int run() throws IOException {
        if (failed != null) {
            JsonNode outage = OutageView.of(intents(), failed);
            print(outage, outage(outage));
            return 0;
        }
        JsonNode view = ProtectionView.of(intents().context(), node);
        print(view, node == null ? all(view) : one(view.get("nodes").get(0)));
        return 0;
    }

    private static String outage(JsonNode outage) {
        return JsonTable.of(
                        JsonNodeFactory.instance.arrayNode().add(outage.get("pairs")),
                        "untouched",
                        "equalLinks",
                        "repaired",
                        "dropped",
                        "cutOff")
                + "\n"
                + part(
                        outage.get("moves"),
                        "nodes that send elsewhere",
                        "node",
                        "destination",
                        "becomes",
                        "way",
                        "metricBefore",
                        "metricAfter")
                + "\n"
                + part(
                        outage.get("lists"),
                        "segment lists that lead there",
                        "node",
                        "sidList",
                        "intents",
                        "at",
                        "becomes")
                + "\n"
                + intents(outage.get("intents"));
    }

    private static String intents(JsonNode intents) {
        return JsonTable.of(
                        JsonNodeFactory.instance.arrayNode().add(intents),
                        "untouched",
                        "moved",
                        "fallsBack",
                        "broken",
                        "mended")
                + "\n"
                + part(
                        intents.get("changes"),
                        "intents that change",
                        "intent",
                        "becomes",
                        "entries",
                        "linksAfter",
                        "why");
    }

    private static String all(JsonNode view) {
        return JsonTable.of(
                view.get("nodes"),
                "node",
                "offered",
                "destinations",
                "protectedFrom.link",
                "protectedFrom.node",
                "protectedFrom.srlg",
                "byEqualLinks");
    }

    private static String one(JsonNode node) {
        return part(repairs(node), "repairs", "destination", "links", "way", "segments")
                + "\n"
                + part(node.get("uncovered"), "gaps", "destination", "from", "why");
    }

    /** One row per destination. */
    private static ArrayNode repairs(JsonNode node) {
        ArrayNode rows = JsonNodeFactory.instance.arrayNode();
        for (JsonNode repair : node.get("repairs")) {
            for (JsonNode destination : repair.get("destinations")) {
                ObjectNode row = rows.addObject();
                row.set("destination", destination.get("node"));
                row.set("links", repair.get("links"));
                row.set("way", repair.get("way"));
                row.set("segments", destination.get("segments"));
            }
        }
        return rows;
    }

    private static String part(JsonNode rows, String name, String... fields) {
        return rows.isEmpty() ? "no " + name + "\n" : JsonTable.of(rows, fields);
    }
}
