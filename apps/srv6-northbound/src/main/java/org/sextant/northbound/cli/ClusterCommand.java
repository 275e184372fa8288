// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.sextant.core.text.Moments;
import org.sextant.northbound.cluster.Shares;
import org.sextant.northbound.view.ClusterView;
import picocli.CommandLine.Command;

/** {@code srv6:cluster}. */
@Command(
        name = "cluster",
        description = "Shows the members of the cluster and how many nodes each acts for.",
        footer = {"", "Examples:", "  srv6:cluster", "  srv6:cluster --json"})
final class ClusterCommand extends NetworkCommand {
    ClusterCommand(NetworkCommands controller) {
        super(controller);
    }

    @Override
    protected boolean changes() {
        return false;
    }

    @Override
    protected int run() throws IOException {
        JsonNode view =
                ClusterView.of(Shares.of(coordination(), network().nodes().keySet()));
        print(view, text(view));
        return 0;
    }

    private static String text(JsonNode view) {
        JsonNode members = view.get("members").deepCopy();
        members.forEach(member -> {
            if (member.has("since")) {
                ((ObjectNode) member)
                        .put("since", Moments.text(member.get("since").textValue()));
            }
        });
        StringBuilder text = new StringBuilder(
                JsonTable.of(members, "id", "self", "state", "since", "address", "version", "count", "nodes"));
        if (view.has("settles")) {
            text.append("what belongs to no node is settled by ")
                    .append(view.get("settles").textValue())
                    .append('\n');
        }
        JsonNode unattended = view.get("unattended");
        if (!unattended.isEmpty()) {
            text.append("nobody acts for");
            unattended.forEach(node -> text.append(' ').append(node.textValue()));
            text.append('\n');
        }
        return text.toString();
    }
}
