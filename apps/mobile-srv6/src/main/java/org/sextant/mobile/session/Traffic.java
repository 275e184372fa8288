// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.session;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.sextant.core.port.DataPlane.Counters;

/**
 * The counters of a session's entries since they were written; empty for a node that does not report them.
 *
 * @param up from the gNB
 * @param down to it
 */
record Traffic(Optional<Counters> up, Optional<Counters> down) {
    static final Traffic UNREAD = new Traffic(Optional.empty(), Optional.empty());

    void in(ObjectNode json) {
        put(json.putObject("uplink"), up);
        put(json.putObject("downlink"), down);
    }

    private static void put(ObjectNode json, Optional<Counters> counters) {
        counters.ifPresent(read -> json.put("packets", read.packets()).put("bytes", read.bytes()));
        json.put("read", counters.isPresent());
    }
}
