// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import java.util.List;

/** Why nodes drop packets beside the rules. */
final class Reasons {
    /** By their cells (sera.p4). */
    static final List<String> ALL =
            List.of("unable", "malformed", "badArguments", "noRule", "lastHop", "flows", "evicted");

    /** As nodes spell them in events, in the same order. */
    private static final List<String> OF_NODES =
            List.of("unable", "malformed", "bad_args", "no_rule", "last_hop", "flows", "evicted");

    private Reasons() {}

    /** As JSON writes what a node says; one of a later node as it is. */
    static String spelling(String ofNode) {
        int at = OF_NODES.indexOf(ofNode);
        return at < 0 ? ofNode : ALL.get(at);
    }
}
