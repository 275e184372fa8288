// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.sextant.core.intent.CompilerVersions;
import org.sextant.core.text.Moments;
import org.sextant.northbound.cluster.Shares;
import org.sextant.northbound.view.ClusterView;
import picocli.CommandLine.Command;

/** {@code srv6:cluster}. */
@Command(
        name = "cluster",
        description = "Shows the members of the cluster, their compiler versions, and how many nodes each acts for.",
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
        JsonNode view = ClusterView.of(
                Shares.of(coordination(), network().nodes().keySet()), intents().compilerStatus());
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
            if (member.has("compilers")) {
                ((ObjectNode) member).put("compilers", versions(member.get("compilers")));
            }
        });
        StringBuilder text = new StringBuilder(JsonTable.of(
                members, "id", "self", "state", "since", "address", "version", "compilers", "count", "nodes"));
        text.append(compiler(view.get("compiler")));
        if (view.has("settles")) {
            text.append("what belongs to no node is settled by ")
                    .append(view.get("settles").textValue())
                    .append('\n');
        }
        JsonNode unattended = view.get("unattended");
        if (!unattended.isEmpty()) {
            text.append("no controller acts for");
            unattended.forEach(node -> text.append(' ').append(node.textValue()));
            text.append('\n');
        }
        return text.toString();
    }

    private static String versions(JsonNode range) {
        return new CompilerVersions(
                        range.get("oldest").intValue(), range.get("newest").intValue())
                .toString();
    }

    private static String compiler(JsonNode compiler) {
        StringBuilder text = new StringBuilder("compiler version ")
                .append(compiler.get("inForce").intValue())
                .append(" is in force");
        JsonNode heldBackBy = compiler.get("heldBackBy");
        if (!heldBackBy.isEmpty()) {
            text.append(", held back by");
            heldBackBy.forEach(member -> text.append(' ').append(member.textValue()));
        }
        text.append('\n');
        if (compiler.has("standsAside")) {
            text.append("this controller writes no node: ")
                    .append(compiler.get("standsAside").textValue())
                    .append('\n');
        }
        return text.toString();
    }
}
