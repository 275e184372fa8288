// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.net.Network;

/**
 * Nodes as readers see them: immutable statuses, published by the engine's thread after each batch of messages. Reading takes no
 * turn of that thread, so that a node can be looked at while the thread is at work for long.
 */
final class NodeViews {
    /** A node with at most so many rows is counted whenever one of them changes: some tens of microseconds. */
    private static final int FEW = 2000;

    /** Counting the rows of a larger node takes at most this part of the thread's time. */
    private static final int SHARE = 20;

    private final SortedMap<String, NodeTable> nodes;
    private final NodeMonitor watch;
    private final EventLoop thread;
    private final SortedMap<String, NodeStatus> published = new ConcurrentSkipListMap<>();
    private Network seen = Network.EMPTY;

    NodeViews(SortedMap<String, NodeTable> nodes, NodeMonitor watch, EventLoop thread) {
        this.nodes = nodes;
        this.watch = watch;
        this.thread = thread;
    }

    /** By name; any thread may ask, and sees every node as it was after some batch of messages. */
    List<NodeStatus> published() {
        return List.copyOf(published.values());
    }

    /** Publishes every node that the data plane or the network knows and that changed. */
    void publish(Network network) {
        if (network != seen) {
            seen = network;
            network.nodes().keySet().forEach(watch::node);
        }
        nodes.values().forEach(this::publish);
        if (published.size() > nodes.size()) {
            published.keySet().retainAll(nodes.keySet());
        }
    }

    private void publish(NodeTable node) {
        NodeTable.Counts before = node.counts;
        recount(node);
        NodeStatus last = published.get(node.name);
        if (last == null || node.counts != before || !node.shownBy(last)) {
            published.put(node.name, node.status(node.counts));
        }
    }

    private void recount(NodeTable node) {
        if (!node.recount && node.counts.of() == node.state()) {
            return;
        }
        long begin = System.nanoTime();
        boolean due = node.rows.size() <= FEW || node.counts.of() != node.state() || begin - node.countableAt >= 0;
        if (due) {
            node.counts = node.count();
            node.recount = false;
            long end = System.nanoTime();
            node.countableAt = end + SHARE * (end - begin);
        } else if (!node.recountPosted) {
            node.recountPosted = true;
            thread.postAfter(Duration.ofNanos(node.countableAt - begin), () -> node.recountPosted = false);
        }
    }
}
