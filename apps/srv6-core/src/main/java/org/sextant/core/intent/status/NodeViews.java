// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.status;

import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.sextant.core.intent.NodeStatus;
import org.sextant.core.intent.install.NodeMonitor;
import org.sextant.core.intent.install.NodeTable;
import org.sextant.core.net.Network;

/**
 * Nodes as readers see them: immutable statuses, published by the engine's thread after each batch of messages. Reading
 * takes no turn of that thread, so that statuses are available while the thread is busy.
 */
public final class NodeViews {
    private final SortedMap<String, NodeTable> nodes;
    private final NodeMonitor monitor;
    private final SortedMap<String, NodeStatus> published = new ConcurrentSkipListMap<>();
    private Network seen = Network.EMPTY;

    NodeViews(SortedMap<String, NodeTable> nodes, NodeMonitor monitor) {
        this.nodes = nodes;
        this.monitor = monitor;
    }

    /** By name, from any thread: every node in its state after some batch of messages. */
    List<NodeStatus> published() {
        return List.copyOf(published.values());
    }

    /** Publishes every node of the data plane or the network that changed. */
    void publish(Network network) {
        if (network != seen) {
            seen = network;
            network.nodes().keySet().forEach(monitor::node);
        }
        nodes.values().forEach(this::publish);
        if (published.size() > nodes.size()) {
            published.keySet().retainAll(nodes.keySet());
        }
    }

    private void publish(NodeTable node) {
        NodeStatus last = published.get(node.name());
        if (last == null || !node.shownBy(last)) {
            published.put(node.name(), node.status());
        }
    }
}
