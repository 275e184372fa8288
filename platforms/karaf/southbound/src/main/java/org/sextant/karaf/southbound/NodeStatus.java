// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

/** How the controller stands with a node, and a sentence why. */
public record NodeStatus(Kind kind, String reason) {

    /** The steps from an address to tables that can be written. */
    public enum Kind {
        /** No connection yet. */
        CONNECTING,
        /** Connected, but another controller writes this node's tables. */
        NOT_PRIMARY,
        /** Connected and primary, but the node does not run the pipeline that it should. */
        PIPELINE_MISMATCH,
        /** Its tables can be written. */
        READY,
        /** The connection broke, or was never made; attempts go on. */
        LOST
    }

    public boolean ready() {
        return kind == Kind.READY;
    }
}
