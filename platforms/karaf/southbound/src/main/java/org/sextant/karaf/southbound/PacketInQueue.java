// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * The packet-ins that wait for the listeners, bounded for each node and shared fairly.
 *
 * <p>Nodes are served in turn, and so are the ports of a node. A node has room for {@link #MOST_FRAMES} frames and {@link
 * #MOST_BYTES} bytes; when it is full, the port with most bytes loses its newest frame. So a flood at one port costs frames of that port
 * only: a host cannot hide the LLDP frames of other ports or of other nodes. Dropped frames are counted by port.
 */
final class PacketInQueue {
    static final int MOST_FRAMES = 1024;
    static final int MOST_BYTES = 256 << 10;

    private final Executor thread;
    private final Consumer<Frame> listener;
    /** Nodes with frames, that which is served next first. */
    private final Map<String, NodeFrames> waiting = new LinkedHashMap<>();

    private final SortedMap<Source, Long> dropped = new TreeMap<>();
    private boolean running;

    /** A frame that a node's punt entries send to the controller. */
    record Frame(Source source, byte[] bytes) {}

    /** Where a frame came into the network. */
    record Source(String node, int port) implements Comparable<Source> {
        @Override
        public int compareTo(Source other) {
            int byNode = node.compareTo(other.node);
            return byNode != 0 ? byNode : Integer.compare(port, other.port);
        }
    }

    /** @param thread runs one task after the other */
    PacketInQueue(Executor thread, Consumer<Frame> listener) {
        this.thread = thread;
        this.listener = listener;
    }

    /** Queues a frame; never waits. */
    synchronized void put(String node, int port, byte[] bytes) {
        NodeFrames frames = waiting.computeIfAbsent(node, name -> new NodeFrames());
        frames.add(port, bytes);
        while (frames.isFull()) {
            dropped.merge(new Source(node, frames.dropFromLongest()), 1L, Long::sum);
        }
        if (frames.isEmpty()) {
            waiting.remove(node);
        }
        if (!running && !waiting.isEmpty()) {
            try {
                thread.execute(this::deliver);
                running = true;
            } catch (RejectedExecutionException closing) {
                waiting.clear();
            }
        }
    }

    /** The frames that were dropped since the start, by where they came in; ports without are left out. */
    synchronized SortedMap<Source, Long> dropped() {
        return new TreeMap<>(dropped);
    }

    private void deliver() {
        for (Optional<Frame> frame = next(); frame.isPresent(); frame = next()) {
            listener.accept(frame.get());
        }
    }

    private synchronized Optional<Frame> next() {
        Optional<String> node = waiting.keySet().stream().findFirst();
        running = node.isPresent();
        return node.map(this::nextOf);
    }

    /** The node goes to the end of the line, if it has more. */
    private Frame nextOf(String node) {
        NodeFrames frames = Objects.requireNonNull(waiting.remove(node));
        Map.Entry<Integer, byte[]> next = frames.take();
        if (!frames.isEmpty()) {
            waiting.put(node, frames);
        }
        return new Frame(new Source(node, next.getKey()), next.getValue());
    }

    /** The frames of one node, by port. */
    private static final class NodeFrames {
        /** Ports with frames, that which is served next first. */
        private final Map<Integer, PortFrames> ports = new LinkedHashMap<>();

        private int frames;
        private int bytes;

        private static final class PortFrames {
            private final ArrayDeque<byte[]> frames = new ArrayDeque<>();
            private int bytes;
        }

        void add(int port, byte[] frame) {
            PortFrames of = ports.computeIfAbsent(port, number -> new PortFrames());
            of.frames.add(frame);
            of.bytes += frame.length;
            frames++;
            bytes += frame.length;
        }

        boolean isFull() {
            return frames > MOST_FRAMES || bytes > MOST_BYTES;
        }

        boolean isEmpty() {
            return frames == 0;
        }

        Map.Entry<Integer, byte[]> take() {
            Map.Entry<Integer, PortFrames> first = ports.entrySet().iterator().next();
            int port = first.getKey();
            PortFrames of = first.getValue();
            ports.remove(port);
            byte[] frame = of.frames.remove();
            removed(of, frame);
            if (!of.frames.isEmpty()) {
                ports.put(port, of);
            }
            return Map.entry(port, frame);
        }

        /** Drops the newest frame of the port with most frames or bytes, whichever there are too many of; returns the port. */
        int dropFromLongest() {
            boolean byBytes = bytes > MOST_BYTES;
            Map.Entry<Integer, PortFrames> longest = ports.entrySet().stream()
                    .max((a, b) -> Integer.compare(length(a.getValue(), byBytes), length(b.getValue(), byBytes)))
                    .orElseThrow();
            PortFrames of = longest.getValue();
            removed(of, of.frames.removeLast());
            if (of.frames.isEmpty()) {
                ports.remove(longest.getKey());
            }
            return longest.getKey();
        }

        private static int length(PortFrames of, boolean byBytes) {
            return byBytes ? of.bytes : of.frames.size();
        }

        private void removed(PortFrames of, byte[] frame) {
            of.bytes -= frame.length;
            frames--;
            bytes -= frame.length;
        }
    }
}
