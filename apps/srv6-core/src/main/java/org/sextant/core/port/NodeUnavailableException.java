// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.port;

/** A node did not answer; its entries are unknown until it is read again. */
public class NodeUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String node;

    public NodeUnavailableException(String node, String reason) {
        super("node " + node + " is not available: " + reason);
        this.node = node;
    }

    public String node() {
        return node;
    }
}
