// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.provision;

/** The next hop ids of a node: stable, so that a restart finds every entry as it left it. */
public final class NextHopIds {
    private static final int HOSTS = 1024;

    private NextHopIds() {}

    /** The neighbour over a port: the port's number, 1 to 510. */
    public static int ofPort(int port) {
        return port;
    }

    /** An attached host: 1024 and up, in the order of the names of all hosts at the node. */
    public static int ofHost(int index) {
        return HOSTS + index;
    }
}
