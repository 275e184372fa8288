// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.sextant.core.sid.Trace;

/**
 * The nodes that a packet visits. The first is the headend with the destination address it sends; all others show the
 * address with which the packet arrives.
 */
public final class HopsJson {
    private HopsJson() {}

    public static ArrayNode of(Trace trace) {
        return of(trace.hops());
    }

    /** The verdicts of firewalls on packets: each with its node, its rules and the hops after it. */
    public static ArrayNode branches(Trace trace) {
        ArrayNode json = JsonNodeFactory.instance.arrayNode();
        for (Trace.Branch branch : trace.branches()) {
            ObjectNode one = json.addObject()
                    .put("node", branch.node())
                    .put("destinationAddress", branch.destinationAddress().toString())
                    .put("verdict", branch.verdict().text())
                    .put("rule", branch.rules().get(0));
            ArrayNode rules = one.putArray("rules");
            branch.rules().forEach(rules::add);
            one.set("hops", of(branch.hops()));
        }
        return json;
    }

    private static ArrayNode of(List<Trace.Hop> hops) {
        ArrayNode json = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < hops.size(); i++) {
            boolean pushes = i == 0 && hops.size() > 1 && sameNodeForwards(hops.get(0), hops.get(1));
            json.add(hop(hops.get(i), hops.get(pushes ? i + 1 : i), following(hops, i)));
            i += pushes ? 1 : 0;
        }
        return json;
    }

    /** The headend pushes and then routes; both are shown as one hop. */
    private static boolean sameNodeForwards(Trace.Hop push, Trace.Hop next) {
        return next.node().equals(push.node()) && next.behavior().equals("forward");
    }

    private static Trace.Hop following(List<Trace.Hop> hops, int i) {
        return hops.get(Math.min(i + 1, hops.size() - 1));
    }

    private static ObjectNode hop(Trace.Hop hop, Trace.Hop leaves, Trace.Hop next) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("node", hop.node())
                .put("destinationAddress", hop.destinationAddress().toString())
                .put("segmentsLeft", hop.segmentsLeft())
                .put("behavior", hop.behavior());
        if (next.segmentsLeft() < hop.segmentsLeft()) {
            json.put("advancesSrh", true);
        }
        leaves.leaving().ifPresent(sent -> json.put("destinationAddressSent", sent.toString()));
        leaves.link().ifPresent(link -> json.put("link", link));
        if (!leaves.otherLinks().isEmpty()) {
            ArrayNode others = json.putArray("otherLinks");
            leaves.otherLinks().forEach(others::add);
        }
        return json;
    }
}
