// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import org.sextant.core.net.Link;

/** What a computed path says of its way; between two steps packets follow the underlay. */
public sealed interface Step {

    /** The node packets are at afterwards. */
    String node();

    /** To a node's uN, by whatever shortest ways there are. */
    record ToNode(String node) implements Step {}

    /** Over this link, by the uA of the node where packets are. */
    record OverLink(Link link) implements Step {
        @Override
        public String node() {
            return link.to().node();
        }
    }
}
