// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import java.util.List;

/** The reasons for a node's drops other than rules. */
final class Reasons {
    /** The reasons by their cells (sera.p4). */
    static final List<String> ALL =
            List.of("unable", "malformed", "badArguments", "noRule", "lastHop", "flows", "evicted");

    /** The spelling of nodes in events, in the same order. */
    private static final List<String> OF_NODES =
            List.of("unable", "malformed", "bad_args", "no_rule", "last_hop", "flows", "evicted");

    private Reasons() {}

    /** The spelling in JSON of a node's reason; reasons of newer nodes are unchanged. */
    static String spelling(String ofNode) {
        int at = OF_NODES.indexOf(ofNode);
        return at < 0 ? ofNode : ALL.get(at);
    }
}
