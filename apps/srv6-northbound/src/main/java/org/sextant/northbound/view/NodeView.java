// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.TreeSet;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.Intents;
import org.sextant.core.intent.NodeStatus;
import org.sextant.core.json.Fields;
import org.sextant.core.json.Suggestion;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.port.Capabilities;
import org.sextant.core.text.Moments;

/** Nodes and how the engine sees them. */
public final class NodeView {
    private NodeView() {}

    public static ArrayNode list(Network network, Intents intents) {
        ArrayNode view = JsonNodeFactory.instance.arrayNode();
        for (NodeStatus status : intents.nodes()) {
            view.add(summary(network, status));
        }
        return view;
    }

    /** @throws ProblemException UNKNOWN, naming the nearest name there is */
    public static NodeStatus require(Network network, Intents intents, String name) {
        return intents.nodes().stream()
                .filter(node -> node.node().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown(network, name));
    }

    /** @throws ProblemException as {@link #require} */
    public static ObjectNode of(Network network, Intents intents, String name) {
        NodeStatus status = require(network, intents, name);
        ObjectNode view = summary(network, status);
        network.node(name).ifPresent(node -> view.setAll(TopologyView.node(node, network, ready(status))));
        intents.context()
                .capabilities(name)
                .ifPresent(capabilities -> view.set("capabilities", capabilities(capabilities)));
        return view;
    }

    static ProblemException unknown(Network network, String name) {
        String remedy = network.nodes().isEmpty()
                ? "load a network description first"
                : Suggestion.of(name, network.nodes().keySet(), "nodes");
        return new ProblemException(new Problem(
                Problem.Code.UNKNOWN, "/node", "there is no node \"" + Fields.shorten(name) + "\"", remedy));
    }

    private static boolean ready(NodeStatus status) {
        return status.state() == NodeStatus.State.SYNCED || status.state() == NodeStatus.State.READING;
    }

    private static ObjectNode summary(Network network, NodeStatus status) {
        Optional<Node> node = network.node(status.node());
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        view.put("name", status.node()).put("state", status.state().name());
        if (!status.reason().isEmpty()) {
            view.put("reason", status.reason());
        }
        status.notice().ifPresent(notice -> view.put("notice", notice));
        view.put("entries", status.entries());
        view.put("waiting", status.contact().waiting());
        status.contact().since().ifPresent(time -> view.put("since", Moments.iso(time)));
        status.contact().lastSeen().ifPresent(time -> view.put("lastSeen", Moments.iso(time)));
        TopologyView.overload(view, network, status.node());
        status.lastRead().ifPresent(time -> view.put("lastRead", Moments.iso(time)));
        node.ifPresent(n -> view.put("management", n.management()).put("pipeconf", n.pipeconf()));
        node.flatMap(Node::srv6).ifPresent(srv6 -> view.put("uSid", TopologyView.usid(srv6)));
        return view;
    }

    private static ObjectNode capabilities(Capabilities capabilities) {
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        view.put("maxSegments", capabilities.maxSegments());
        ObjectNode tables = view.putObject("tables");
        for (String table : new TreeSet<>(capabilities.actionsOfTable().keySet())) {
            ArrayNode actions = tables.putArray(table);
            new TreeSet<>(capabilities.actionsOfTable().get(table)).forEach(actions::add);
        }
        return view;
    }
}
