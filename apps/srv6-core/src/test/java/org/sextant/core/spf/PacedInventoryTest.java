// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.spf;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.calls.Daemons;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.NetworkFile;
import org.sextant.core.net.Node;
import org.sextant.core.net.Overload;
import org.sextant.core.net.Port;

@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
class PacedInventoryTest {
    private static final Network SQUARE = NetworkFile.parse("""
            {"waitToRestoreMillis": 0,
             "apps": {"org.sextant.srv6": {"srv6": {"block": "fcbb:bbbb::/32"}}},
             "devices": {"a": {"srv6": {"uSid": "0100"}}, "b": {"srv6": {"uSid": "0200"}},
                         "c": {"srv6": {"uSid": "0300"}}, "d": {"srv6": {"uSid": "0400"}}},
             "links": {"a/1-b/1": {}, "b/2-c/1": {}, "c/2-d/1": {}, "d/2-a/2": {}}}
            """).orThrow();

    /** An hour: changes that wait for it are passed on for another reason, or not at all. */
    private static final Duration LONG = Duration.ofHours(1);

    private final AtomicLong now = new AtomicLong(1_000_000);
    private final ScheduledThreadPoolExecutor thread = Daemons.clock("spf");
    private final FakeInventory seen = new FakeInventory(SQUARE);
    private final List<Network> passed = new ArrayList<>(List.of(SQUARE));

    private PacedInventory paced(Duration shortDelay, Duration longDelay) throws InterruptedException {
        PacedInventory paced = new PacedInventory(
                seen,
                new SpfDelay(new SpfDelay.Timers(
                        Duration.ZERO, shortDelay, longDelay, Duration.ofMillis(500), longDelay.plusSeconds(5))),
                thread,
                now::get);
        paced.onChange((before, after) -> {
            assertThat(before).isEqualTo(passed.get(passed.size() - 1));
            passed.add(after);
        });
        assertThat(passed()).isEmpty();
        return paced;
    }

    /** Waits until all changes so far are passed on, or wait. */
    private List<Network> passed() throws InterruptedException {
        CountDownLatch dealtWith = new CountDownLatch(1);
        thread.execute(dealtWith::countDown);
        assertThat(dealtWith.await(10, TimeUnit.SECONDS)).isTrue();
        return passed.subList(1, passed.size());
    }

    private void awaitPassed(Network last) throws InterruptedException {
        while (!passed.get(passed().size()).equals(last)) {
            Thread.sleep(1);
        }
    }

    @AfterEach
    void end() {
        thread.shutdownNow();
    }

    @Test
    void the_first_change_of_a_link_is_passed_on_at_once() throws InterruptedException {
        PacedInventory paced = paced(LONG, LONG);
        seen.link("a", "b", false);
        assertThat(passed()).containsExactly(seen.snapshot());
        assertThat(paced.snapshot()).isEqualTo(seen.snapshot());
    }

    /** It does not count as a change of a link, so a session that flaps delays no changes of links. */
    @Test
    void an_overload_is_passed_on_at_once_and_delays_no_link() throws InterruptedException {
        paced(LONG, LONG);
        seen.overloads(Map.of("a", new Overload(Instant.EPOCH, false)));
        Network overloaded = seen.snapshot();
        seen.link("a", "b", false);
        assertThat(passed()).containsExactly(overloaded, seen.snapshot());
        assertThat(passed().get(1).overloads()).containsOnlyKeys("a");
    }

    @Test
    void what_follows_waits_and_is_passed_on_as_one_change() throws InterruptedException {
        PacedInventory paced = paced(Duration.ofMillis(200), LONG);
        seen.link("a", "b", false);
        Network first = seen.snapshot();
        assertThat(passed()).containsExactly(first);
        seen.link("b", "c", false);
        seen.link("c", "d", false);
        assertThat(paced.snapshot()).isEqualTo(first);
        awaitPassed(seen.snapshot());
        assertThat(passed()).containsExactly(first, seen.snapshot());
    }

    @Test
    void a_thousand_changes_are_passed_on_as_a_few() throws InterruptedException {
        paced(Duration.ofMillis(300), Duration.ofMillis(300));
        for (int i = 0; i < 1000; i++) {
            seen.link("a", "b", i % 2 == 1);
            now.addAndGet(1);
        }
        seen.link("c", "d", false);
        awaitPassed(seen.snapshot());
        assertThat(passed()).hasSizeLessThan(10);
    }

    @Test
    void a_change_that_was_taken_back_meanwhile_is_not_passed_on() throws InterruptedException {
        paced(Duration.ofMillis(100), LONG);
        seen.link("a", "b", false);
        Network first = seen.snapshot();
        seen.link("b", "c", false);
        seen.link("b", "c", true);
        TimeUnit.MILLISECONDS.sleep(300);
        assertThat(passed()).containsExactly(first);
    }

    @Test
    void after_a_calm_time_a_change_is_passed_on_at_once_again() throws InterruptedException {
        paced(LONG, LONG);
        seen.link("a", "b", false);
        assertThat(passed()).hasSize(1);
        now.addAndGet(LONG.plusSeconds(5).toMillis());
        seen.link("b", "c", false);
        assertThat(passed()).hasSize(2).endsWith(seen.snapshot());
    }

    @Test
    void another_metric_of_a_link_waits_too() throws InterruptedException {
        PacedInventory paced = paced(LONG, LONG);
        seen.link("a", "b", false);
        assertThat(passed()).hasSize(1);
        seen.links("c", "d", link -> link.withMeasuredDelayMicros(7));
        assertThat(passed()).hasSize(1);
        assertThat(paced.snapshot().links())
                .extracting(Link::measuredDelayMicros)
                .containsOnly(0L);
    }

    @Test
    void another_node_is_passed_on_at_once_with_what_waited() throws InterruptedException {
        paced(LONG, LONG);
        seen.link("a", "b", false);
        seen.link("c", "d", false);
        assertThat(passed()).hasSize(1);
        Network network = seen.snapshot();
        seen.set(new Network(
                network.nodes().values().stream()
                        .filter(node -> !node.name().equals("d"))
                        .toList(),
                network.links(),
                List.of()));
        assertThat(passed()).hasSize(2).endsWith(seen.snapshot());
    }

    @Test
    void a_port_without_a_link_makes_no_change_of_a_link_wait() throws InterruptedException {
        paced(LONG, LONG);
        seen.set(withPort(seen.snapshot(), "a", 9, true));
        seen.set(withPort(seen.snapshot(), "a", 9, false));
        seen.set(withPort(seen.snapshot(), "a", 9, true));
        seen.link("a", "b", false);
        assertThat(passed()).hasSize(4).endsWith(seen.snapshot());
    }

    @Test
    void one_that_is_closed_passes_nothing_on() throws InterruptedException {
        PacedInventory paced = paced(LONG, LONG);
        paced.close();
        seen.link("a", "b", false);
        assertThat(passed()).isEmpty();
        assertThat(paced.snapshot()).isEqualTo(SQUARE);
    }

    private static Network withPort(Network network, String node, int port, boolean up) {
        return new Network(
                network.nodes().values().stream()
                        .map(one -> one.name().equals(node) ? withPort(one, port, up) : one)
                        .toList(),
                network.links(),
                List.of(),
                network.rules());
    }

    private static Node withPort(Node node, int port, boolean up) {
        SortedMap<Integer, Port> ports = new TreeMap<>(node.ports());
        ports.put(port, new Port(port, Optional.empty(), Optional.empty(), 0, up, List.of()));
        return new Node(
                node.name(), node.deviceId(), node.management(), node.pipeconf(), node.srv6(), ports, node.location());
    }
}
