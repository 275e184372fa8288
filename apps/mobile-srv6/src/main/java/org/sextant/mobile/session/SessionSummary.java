// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.session;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.sextant.core.intent.Explained;
import org.sextant.core.intent.Plan;
import org.sextant.mobile.Session;
import org.sextant.mobile.slice.SliceHandle;

/** The effect of a session's entries. The slice's plan has the treatment of its packets. */
record SessionSummary(SliceHandle handle, Session session) implements Explained {

    @Override
    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("slice", session.slice())
                .put("class", handle.sessionClass());
        session.downlink()
                .ifPresent(tunnel -> json.putObject("arguments")
                        .put("qfi", session.qfi())
                        .put("rqi", session.rqi())
                        .put("teid", Integer.toUnsignedLong(tunnel.teid()))
                        .put("hex", String.format("%010x", session.arguments().orElseThrow())));
        ArrayNode entries = json.putArray("entries");
        for (Plan.Placed placed : handle.entries(session)) {
            entries.addObject()
                    .put("node", placed.node())
                    .put("table", placed.entry().key().table())
                    .put("match", placed.entry().key().match())
                    .put("action", placed.entry().actionText());
        }
        json.putArray("warnings");
        return json;
    }
}
