// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.sextant.core.intent.Plan.Placed;
import org.sextant.core.table.DropSteered;
import org.sextant.core.table.Entry;
import org.sextant.core.table.FlowSteering;
import org.sextant.core.table.Liveness;
import org.sextant.core.table.MySid;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Steering;

/** The entries of a plan in text: node, table, match and action. */
final class Entries {
    private Entries() {}

    static ArrayNode json(List<Placed> entries) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        entries.forEach(placed -> array.add(json(placed)));
        return array;
    }

    private static ObjectNode json(Placed placed) {
        Entry entry = placed.entry();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("node", placed.node())
                .put("table", entry.key().table())
                .put("match", entry.key().match());
        if (entry instanceof SidList list) {
            ArrayNode members = json.putArray("members");
            list.members().forEach(member -> {
                ObjectNode one =
                        members.addObject().put("weight", member.weight()).put("action", member.action());
                ArrayNode segments = one.putArray("segments");
                member.segments().forEach(segment -> segments.add(segment.toString()));
            });
        } else if (entry instanceof Steering steering) {
            json.put("action", steering.reduced() ? "h_encaps_red" : "h_encaps")
                    .put("sidList", Integer.toUnsignedLong(steering.sidList()));
        } else if (entry instanceof FlowSteering flow) {
            json.put("action", flow.action());
            flow.sendsInto().ifPresent(list -> json.put("sidList", Integer.toUnsignedLong(list)));
        } else if (entry instanceof MySid sid) {
            json.put("action", sid.behavior().action());
            sid.sendsInto().ifPresent(list -> json.put("sidList", Integer.toUnsignedLong(list)));
        } else if (entry instanceof Liveness watched) {
            json.put("action", Liveness.ACTION)
                    .put("probe", Integer.toUnsignedLong(watched.probe()))
                    .put("intervalMicros", Integer.toUnsignedLong(watched.intervalMicros()))
                    .put("multiplier", watched.multiplier())
                    .put("holdDownMillis", Integer.toUnsignedLong(watched.holdDownMillis()))
                    .put("backup", Integer.toUnsignedLong(watched.backup()));
        } else if (entry instanceof DropSteered) {
            json.put("action", DropSteered.ACTION);
        }
        return json;
    }
}
