// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import org.sextant.core.net.Link;

/** A step of a computed path; between two steps packets follow the underlay. */
public sealed interface Step {

    /** The node packets are at afterwards. */
    String node();

    /** To a node's uN, over all shortest paths. */
    record ToNode(String node) implements Step {}

    /** Over this link, by the uA of the node where packets are. */
    record OverLink(Link link) implements Step {
        @Override
        public String node() {
            return link.to().node();
        }
    }
}
