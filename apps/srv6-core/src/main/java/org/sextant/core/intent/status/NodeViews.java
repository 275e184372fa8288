// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.status;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.sextant.core.intent.NodeStatus;
import org.sextant.core.intent.install.NodeMonitor;
import org.sextant.core.intent.install.NodeTable;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.net.Network;

/**
 * Nodes as readers see them: immutable statuses, published by the engine's thread after each batch of messages. Reading takes no
 * turn of that thread, so that a node can be looked at while the thread is at work for long.
 */
public final class NodeViews {
    /** A node with at most so many rows is counted whenever one of them changes: some tens of microseconds. */
    private static final int FEW = 2000;

    /** EntryCount the rows of a larger node takes at most this part of the thread's time. */
    private static final int SHARE = 20;

    private final SortedMap<String, NodeTable> nodes;
    private final NodeMonitor monitor;
    private final EventLoop thread;
    private final SortedMap<String, NodeStatus> published = new ConcurrentSkipListMap<>();
    private final Map<String, EntryCount> counts = new HashMap<>();
    private Network seen = Network.EMPTY;

    NodeViews(SortedMap<String, NodeTable> nodes, NodeMonitor monitor, EventLoop thread) {
        this.nodes = nodes;
        this.monitor = monitor;
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
            network.nodes().keySet().forEach(monitor::node);
        }
        nodes.values().forEach(this::publish);
        if (published.size() > nodes.size()) {
            published.keySet().retainAll(nodes.keySet());
            counts.keySet().retainAll(nodes.keySet());
        }
    }

    private void publish(NodeTable node) {
        EntryCount count = counts.computeIfAbsent(node.name(), name -> new EntryCount());
        NodeTable.Counts before = count.counts;
        count(node, count);
        NodeStatus last = published.get(node.name());
        if (last == null || count.counts != before || !node.shownBy(last)) {
            published.put(node.name(), node.status(count.counts));
        }
    }

    private void count(NodeTable node, EntryCount count) {
        boolean otherState = count.counts.of() != node.state();
        if (!node.isChanged() && !otherState) {
            return;
        }
        long begin = System.nanoTime();
        if (node.rows().size() <= FEW || otherState || begin - count.again >= 0) {
            count.counts = node.countAgain();
            long end = System.nanoTime();
            count.again = end + SHARE * (end - begin);
        } else if (!count.posted) {
            count.posted = true;
            thread.after(
                    "view count " + node.name(), Duration.ofNanos(count.again - begin), () -> count.posted = false);
        }
    }

    /** The entries of a node as they were last counted. */
    private static final class EntryCount {
        NodeTable.Counts counts = new NodeTable.Counts(NodeStatus.State.LOST, 0, 0);

        /** When they may be counted again, by {@link System#nanoTime}. */
        long again = System.nanoTime();

        /** A message that has them counted is on its way. */
        boolean posted;
    }
}
