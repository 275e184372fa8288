// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import java.util.Locale;

/** The kind of an event of the log. */
public enum LogKind {
    /** Links and the ports of hosts: up, down. */
    LINK,
    /** Nodes: lost, back, another controller's. */
    NODE,
    /** Intents of any app: installed, degraded, failed, gone. */
    INTENT,
    /** The path that the traffic of an intent takes. */
    PATH,
    /** A node held other entries than was wanted. */
    DRIFT,
    /** All nodes were compared with the desired entries. */
    AUDIT,
    /** Members of the cluster, and nodes that another of them acts for. */
    CLUSTER,
    /** The controller itself: its network, its store, its defects. */
    CONTROLLER;

    /** As REST and shell spell it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
