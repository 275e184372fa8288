// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.history.Amount;
import org.sextant.core.history.History;
import org.sextant.core.history.Reading;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.NodeStatus;
import org.sextant.kit.app.Measures;

@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(120)
class HistoryKeeperTest {
    private final Past past = new Past();

    @AfterEach
    void close() {
        past.close();
    }

    private double[] last(String of, String quantity) {
        Lookback now = past.keeper.lookback();
        return now.history().of(of, now.nanos(), History.STEPS).get(quantity);
    }

    @Test
    void links_are_measured_though_nobody_looks() {
        past.sent(0, 0);
        past.sent(12_500, 100);
        double[] bytes = last("link:a/1-b/1", "bytesPerSecond");
        assertThat(bytes[bytes.length - 1]).isEqualTo(1250);
        double[] packets = last("link:a/1-b/1", "packetsPerSecond");
        assertThat(packets[packets.length - 1]).isEqualTo(10);
    }

    @Test
    void probes_that_a_node_tells_apart_are_no_traffic() {
        past.sent(1_000, 10, 10);
        past.sent(3_000, 30, 30);
        past.sent(4_000, 40, 41);
        past.sent(5_000, 50, 50);
        assertThat(last("link:a/1-b/1", "bytesPerSecond"))
                .as("a probe that was counted in between is none of traffic")
                .endsWith(0, 0, 0);
        assertThat(last("link:a/1-b/1", "packetsPerSecond")).endsWith(0, 0, 0);
        assertThat(last("link:a/1-b/1", "probeBytesPerSecond")).endsWith(200, 110, 90);
        assertThat(last("link:a/1-b/1", "probePacketsPerSecond")).endsWith(2, 1.1f, 0.9f);
        past.sent(18_500, 160, 60);
        assertThat(last("link:a/1-b/1", "bytesPerSecond")).endsWith(1250);
        assertThat(last("link:a/1-b/1", "packetsPerSecond")).endsWith(10);
    }

    @Test
    void probes_that_are_counted_anew_are_no_jump_of_traffic() {
        past.sent(10_000, 100, 100);
        past.sent(11_000, 110, 110);
        past.sent(12_000, 120, 5);
        past.sent(13_000, 130, 15);
        assertThat(last("link:a/1-b/1", "bytesPerSecond"))
                .as("the probes that were not counted any more are traffic")
                .endsWith(0, 50, 0);
    }

    @Test
    void the_end_that_tells_probes_apart_says_what_a_link_carries() {
        past.sent(1_000, 10);
        past.received(1_000, 10);
        past.sent(9_000, 90);
        past.received(5_000, 50);
        past.received(7_000, 60);
        assertThat(last("link:a/1-b/1", "bytesPerSecond")).endsWith(100);
        assertThat(last("link:a/1-b/1", "probeBytesPerSecond")).endsWith(100);
    }

    @Test
    void a_port_without_probes_has_no_room_for_them() {
        past.sent(1_000, 10, 0);
        past.sent(2_000, 20, 0);
        assertThat(last("link:a/1-b/1", "probeBytesPerSecond")).isNull();
        assertThat(last("link:a/1-b/1", "bytesPerSecond")).endsWith(100);
    }

    @Test
    void a_node_that_is_lost_leaves_gaps_and_what_it_counts_after_is_no_jump() {
        past.sent(0, 0);
        past.sent(12_500, 100);
        past.tell(new EngineEvent.NodeChanged(
                new NodeStatus("a", NodeStatus.State.LOST, "gone", 0, Optional.empty(), Optional.empty())));
        for (int i = 0; i < 6; i++) {
            past.seconds(10);
            past.keeper.round();
        }
        past.sent(900_000, 1000);
        past.sent(912_500, 1100);
        double[] bytes = last("link:a/1-b/1", "bytesPerSecond");
        assertThat(java.util.Arrays.copyOfRange(bytes, bytes.length - 9, bytes.length))
                .containsExactly(
                        1250, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, 1250);
    }

    /** An app that measures when it is asked, and is waited for. */
    private static final class App implements Measures {
        final CountDownLatch asked = new CountDownLatch(1);
        final CountDownLatch gate;

        App(int held) {
            gate = new CountDownLatch(held);
        }

        @Override
        public String kind() {
            return "toy";
        }

        @Override
        public List<Reading> measure() {
            asked.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return List.of(new Reading("toy:one", "", System.nanoTime(), Map.of("delayMicros", new Amount.Level(7))));
        }
    }

    @Test
    void an_app_says_what_it_measures_and_nothing_else_has_to_know_it() {
        past.keeper.addMeasures(new App(0));
        assertThat(past.keeper.lookback().kinds()).containsExactly("link", "toy");
        while (past.keeper.lookback().history().series() == 0) {
            past.seconds(10);
            past.keeper.round();
            Thread.onSpinWait();
        }
        assertThat(last("toy:one", "delayMicros")).contains(7);
    }

    @Test
    void an_app_that_waits_for_its_nodes_delays_nobody_and_is_asked_once() throws InterruptedException {
        App slow = new App(1);
        past.keeper.addMeasures(slow);
        past.sent(0, 0);
        assertThat(slow.asked.await(60, TimeUnit.SECONDS)).isTrue();
        past.sent(10_000, 10);
        past.sent(20_000, 20);
        assertThat(last("link:a/1-b/1", "bytesPerSecond")).endsWith(1000, 1000);
        slow.gate.countDown();
    }

    @Test
    void ten_thousand_events_a_minute_for_an_hour_make_it_no_larger_and_the_network_is_still_known() {
        past.seconds(1);
        past.inventory.link("a", "b", false);
        for (int i = 0; i < 600_000; i++) {
            past.nanos += 6_000_000;
            IntentRef ref = new IntentRef("policy", "p" + i % 50_000);
            past.tell(
                    i % 2 == 0
                            ? new EngineEvent.IntentChanged(ref, IntentState.values()[i / 2 % 5])
                            : new EngineEvent.IntentRemoved(ref));
        }
        Lookback now = past.keeper.lookback();
        assertThat(now.intents().changes()).isLessThanOrEqualTo(65_536);
        assertThat(now.states().changes()).isLessThan(10);
        assertThat(now.states().at(now.nanos() - 3_590_000_000_000L).orElseThrow())
                .containsEntry("link:a/1-b/1", "DOWN");
    }
}
