// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.karaf.southbound.PacketInQueue.Source;

@DisplayNameGeneration(ReplaceUnderscores.class)
class PacketInQueueTest {
    /** Runs tasks only when the test takes them: listeners that are busy. */
    private final Queue<Runnable> tasks = new ArrayDeque<>();

    private final List<String> delivered = new ArrayList<>();
    private final PacketInQueue queue = new PacketInQueue(
            tasks::add,
            frame -> delivered.add(frame.source().node() + " " + frame.source().port() + " " + frame.bytes()[0]));

    private void put(String node, int port, int frame) {
        queue.put(node, port, new byte[] {(byte) frame});
    }

    private void run() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    @Test
    void nodes_are_served_in_turn_and_so_are_the_ports_of_a_node() {
        for (int i = 0; i < 3; i++) {
            put("n1", 1, i);
        }
        put("n1", 2, 0);
        put("n2", 7, 0);
        put("n2", 7, 1);
        run();
        assertThat(delivered).containsExactly("n1 1 0", "n2 7 0", "n1 2 0", "n2 7 1", "n1 1 1", "n1 1 2");
        put("n1", 1, 9);
        run();
        assertThat(delivered).endsWith("n1 1 9");
        assertThat(queue.dropped()).isEmpty();
    }

    @Test
    void a_flooded_port_loses_its_own_frames_only_and_they_are_counted() {
        put("n1", 2, 1);
        for (int i = 0; i < 10_000; i++) {
            put("n1", 1, 0);
        }
        for (int i = 0; i < 100; i++) {
            put("n1", 2, 2);
            put("n2", 1, 3);
        }
        run();
        assertThat(delivered).filteredOn(frame -> frame.startsWith("n1 2")).hasSize(101);
        assertThat(delivered).filteredOn(frame -> frame.startsWith("n2 1")).hasSize(100);
        assertThat(delivered).filteredOn(frame -> frame.startsWith("n1 1")).hasSize(PacketInQueue.MOST_FRAMES - 101);
        assertThat(queue.dropped())
                .hasSize(1)
                .containsEntry(new Source("n1", 1), 10_000L - (PacketInQueue.MOST_FRAMES - 101));
    }

    @Test
    void large_frames_cost_the_port_that_has_most_bytes() {
        for (int i = 0; i < 300; i++) {
            put("n1", 2, i);
        }
        int large = PacketInQueue.MOST_BYTES / 4;
        for (int i = 0; i < 10; i++) {
            queue.put("n1", 1, new byte[large]);
        }
        run();
        assertThat(delivered).filteredOn(frame -> frame.startsWith("n1 2")).hasSize(300);
        assertThat(delivered).filteredOn(frame -> frame.startsWith("n1 1")).hasSize(3);
        assertThat(queue.dropped()).hasSize(1).containsEntry(new Source("n1", 1), 7L);
    }

    @Test
    void a_frame_that_is_larger_than_the_room_of_a_node_is_dropped() {
        queue.put("n1", 1, new byte[PacketInQueue.MOST_BYTES + 1]);
        put("n1", 1, 5);
        run();
        assertThat(delivered).containsExactly("n1 1 5");
        assertThat(queue.dropped()).containsEntry(new Source("n1", 1), 1L);
    }

    @Test
    void a_thread_that_ends_takes_no_more_frames() {
        PacketInQueue closing = new PacketInQueue(
                task -> {
                    throw new RejectedExecutionException();
                },
                frame -> delivered.add("delivered"));
        closing.put("n1", 1, new byte[1]);
        assertThat(delivered).isEmpty();
    }

    @Test
    void what_was_dropped_is_reported_once() {
        DropReports reports = new DropReports();
        SortedMap<Source, Long> dropped = new TreeMap<>(Map.of(new Source("n1", 1), 5L, new Source("n1", 2), 7L));
        assertThat(reports.due(dropped)).hasSize(2);
        assertThat(reports.due(dropped)).isEmpty();
        dropped.put(new Source("n1", 2), 10L);
        assertThat(reports.due(dropped))
                .singleElement()
                .asString()
                .startsWith("node=n1 port=2 dropped_packet_ins=3 total=10 ");
    }
}
