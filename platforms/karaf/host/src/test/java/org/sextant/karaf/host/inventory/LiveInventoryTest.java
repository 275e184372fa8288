// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.port.Subscription;
import org.sextant.karaf.host.discovery.DiscoveredLinks;
import org.sextant.karaf.southbound.PortState;

@DisplayNameGeneration(ReplaceUnderscores.class)
class LiveInventoryTest {
    private record Change(Network before, Network after) {}

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final LiveInventory inventory = new LiveInventory(thread, Clock.systemUTC());
    private final List<Change> changes = new ArrayList<>();
    private final Subscription subscription =
            inventory.onChange((before, after) -> changes.add(new Change(before, after)));

    @AfterEach
    void stop() {
        thread.shutdownNow();
    }

    @Test
    void inputs_that_come_together_make_one_change() {
        CountDownLatch together = new CountDownLatch(1);
        thread.execute(() -> awaitQuietly(together));
        inventory.describe(network("a", "b"));
        inventory.ports("a", port(false));
        Link.End a = new Link.End("a", 1);
        Link.End b = new Link.End("b", 1);
        inventory.discovered(new DiscoveredLinks(Map.of(a, b, b, a), Set.of()));
        together.countDown();
        inventory.settle();
        assertThat(changes).singleElement().satisfies(change -> {
            assertThat(change.before()).isEqualTo(Network.EMPTY);
            assertThat(change.after().links()).extracting(Link::up).containsExactly(false, false);
        });
    }

    /** Holds the thread of the inventory, so that no input is dealt with before the last has come. */
    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void changes_follow_each_other_without_a_gap() {
        inventory.describe(network("a"));
        inventory.settle();
        inventory.ports("a", port(true));
        inventory.settle();
        inventory.ports("a", port(false));
        inventory.settle();
        assertThat(changes).hasSize(3);
        assertThat(changes.get(1).before()).isSameAs(changes.get(0).after());
        assertThat(changes.get(2).before()).isSameAs(changes.get(1).after());
        assertThat(inventory.snapshot()).isSameAs(changes.get(2).after());
    }

    @Test
    void what_changes_nothing_is_not_told() {
        inventory.describe(network("a"));
        inventory.settle();
        inventory.describe(network("a"));
        inventory.ports("unknown", port(true));
        inventory.settle();
        assertThat(changes).hasSize(1);
    }

    @Test
    void a_node_that_left_the_description_starts_over_when_it_returns() {
        inventory.describe(network("a"));
        inventory.ports("a", port(false));
        inventory.describe(Network.EMPTY);
        inventory.describe(network("a"));
        inventory.settle();
        assertThat(inventory.snapshot().node("a").orElseThrow().ports()).isEmpty();
    }

    @Test
    void a_listener_that_fails_or_leaves_is_no_matter_to_the_others() {
        subscription.close();
        inventory.onChange((before, after) -> {
            throw new IllegalStateException("on purpose");
        });
        List<Network> heard = new ArrayList<>();
        inventory.onChange((before, after) -> heard.add(after));
        inventory.describe(network("a"));
        inventory.settle();
        assertThat(heard).hasSize(1);
        assertThat(changes).isEmpty();
    }

    private static Map<Integer, PortState> port(boolean up) {
        return Map.of(1, new PortState(1, "eth1", Optional.empty(), 0, up));
    }

    private static Network network(String... names) {
        List<Node> nodes = new ArrayList<>();
        for (String name : names) {
            nodes.add(new Node(
                    name,
                    "device:" + name,
                    "grpc://127.0.0.1:1?device_id=1",
                    "org.sextant.linux",
                    Optional.empty(),
                    new TreeMap<>(),
                    Optional.empty()));
        }
        return new Network(nodes, List.of(), List.of());
    }
}
