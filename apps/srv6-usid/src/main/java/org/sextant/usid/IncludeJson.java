// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.sextant.core.json.Fields;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.Waypoint;

/** Reads and writes the nodes and links that a computed candidate path visits, in their order. */
final class IncludeJson {
    /** The maximum number of elements: each makes a search longer. */
    private static final int MOST = 16;

    private IncludeJson() {}

    static List<Hop> decode(Fields dynamic) {
        List<Hop> stops = dynamic.list("include", (node, at) -> stop(node, at, dynamic));
        if (stops.size() > MOST) {
            dynamic.invalid(
                    dynamic.pointer("include"),
                    stops.size() + " are more than " + MOST,
                    "name fewer of them, or write the path down");
        }
        for (int i = 1; i < stops.size(); i++) {
            if (stops.get(i).equals(stops.get(i - 1))) {
                dynamic.invalid(dynamic.pointer("include") + "/" + i, stops.get(i) + " follows itself", "name it once");
            }
        }
        return stops;
    }

    private static Optional<Hop> stop(JsonNode node, String at, Fields dynamic) {
        if (node.isTextual()) {
            return waypoint(node.textValue(), at, dynamic);
        }
        Fields fields = new Fields(node, at, dynamic.problems());
        Optional<String> name = fields.text("node");
        Optional<String> link = fields.text("link");
        fields.finish();
        if (name.isPresent() == link.isPresent()) {
            if (node.isObject()) {
                fields.invalid(
                        at, "a node or a link is to be visited", "write {\"node\": \"p7\"} or {\"link\": \"p7-p6\"}");
            }
            return Optional.empty();
        }
        return name.isPresent()
                ? waypoint(name.get(), at + "/node", dynamic)
                : fields.parse(
                        link.get(),
                        at + "/link",
                        "write p7-p6, or with ports p7/2-p6/3",
                        text -> new Hop.OverLink(text, true));
    }

    private static Optional<Hop> waypoint(String text, String at, Fields dynamic) {
        return dynamic.parse(
                text, at, "give a node's name, its uSID or its SID", name -> new Hop.ToNode(new Waypoint(name), true));
    }

    static void encode(List<Hop> stops, ObjectNode json) {
        if (stops.isEmpty()) {
            return;
        }
        ArrayNode include = json.putArray("include");
        for (Hop stop : stops) {
            if (stop instanceof Hop.OverLink over) {
                include.addObject().put("link", over.link());
            } else {
                include.addObject().put("node", ((Hop.ToNode) stop).node().text());
            }
        }
    }
}
