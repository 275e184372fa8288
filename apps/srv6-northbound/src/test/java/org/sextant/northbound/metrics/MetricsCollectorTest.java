// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.port.StoreTelemetry;
import org.sextant.core.port.Telemetry.Packets;
import org.sextant.core.port.Telemetry.PortCounters;
import org.sextant.core.port.Telemetry.Sample;
import org.sextant.northbound.app.Notes;
import org.sextant.northbound.history.Past;

@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
class MetricsCollectorTest {
    private final Past past = new Past();
    private final Notes notes = new Notes();
    private final MetricsCollector collector = new MetricsCollector();
    private Consumer<Sample> ports = sample -> {};

    MetricsCollectorTest() {
        collector.inventory = new FakeInventory(Past.NETWORK);
        collector.intents = notes.engine();
        collector.keeper = past.keeper;
        collector.telemetry = listener -> {
            ports = listener;
            return () -> {};
        };
        collector.activate();
    }

    @AfterEach
    void close() {
        collector.deactivate();
        notes.close();
        past.close();
    }

    private List<String> scrape() {
        return Scrapes.lines(collector.collect());
    }

    @Test
    void intents_are_counted_by_kind_and_state_and_move_when_one_is_added() throws Exception {
        assertThat(scrape()).noneMatch(line -> line.startsWith("sextant_intents{"));
        notes.engine().submit(notes, List.of("a", "b"));
        notes.engine().idle().get(30, TimeUnit.SECONDS);
        assertThat(scrape())
                .contains(
                        "# HELP sextant_intents Intents by kind and state.",
                        "# TYPE sextant_intents gauge",
                        "sextant_intents{kind=\"note\",state=\"installed\"} 2.0",
                        "sextant_intents{kind=\"note\",state=\"pending\"} 0.0");
    }

    /** A kind whose compilation holds the thread of the engine until it is released. */
    private static final class SlowKind implements IntentKind<String> {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch end = new CountDownLatch(1);

        @Override
        public String name() {
            return "slow";
        }

        @Override
        public ObjectNode encode(String intent) {
            return JsonNodeFactory.instance.objectNode().put("text", intent);
        }

        @Override
        public String decode(JsonNode json) {
            return json.path("text").asText();
        }

        @Override
        public String identity(String intent) {
            return intent;
        }

        @Override
        public Plan compile(NumberedIntent<String> intent, CompileContext context) {
            begun.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Plan.rejected(List.of());
        }
    }

    /** The common pool may have a single thread. */
    private static void start(Runnable task) {
        new Thread(task).start();
    }

    @Test
    void a_scrape_does_not_wait_for_the_thread_of_the_engine_and_shows_that_others_do() throws Exception {
        SlowKind slow = new SlowKind();
        notes.engine().register(slow);
        CompletableFuture<?> busy = CompletableFuture.runAsync(
                () -> notes.engine().submit(slow, List.of("a")), MetricsCollectorTest::start);
        slow.begun.await();
        CompletableFuture<?> waiting =
                CompletableFuture.runAsync(() -> notes.engine().reservations(), MetricsCollectorTest::start);
        while (!scrape().contains("sextant_engine_messages_waiting 1.0")) {
            Thread.onSpinWait();
        }
        assertThat(busy).isNotDone();
        assertThat(waiting).isNotDone();
        slow.end.countDown();
        busy.get(30, TimeUnit.SECONDS);
        waiting.get(30, TimeUnit.SECONDS);
        assertThat(scrape()).anyMatch(line -> line.matches("sextant_engine_hold_seconds_count [1-9].*"));
    }

    @Test
    void links_and_the_counters_of_ports_are_those_reported_last() {
        ports.accept(new Sample(
                "a", 1, Map.of(1, new PortCounters(1_000, 2_000, Optional.of(new Packets(10, 20)), Optional.empty()))));
        ports.accept(new Sample("gone", 1, Map.of(1, new PortCounters(5, 5))));
        assertThat(scrape())
                .contains(
                        "sextant_link_up{link=\"a/1-b/1\"} 1.0",
                        "sextant_links{state=\"down\"} 0.0",
                        "sextant_port_received_bytes_total{node=\"a\",port=\"1\"} 1000.0",
                        "sextant_port_sent_packets_total{node=\"a\",port=\"1\"} 20.0")
                .noneMatch(line -> line.contains("gone"));
        ((FakeInventory) collector.inventory).link("a", "b", false);
        assertThat(scrape()).contains("sextant_link_up{link=\"a/1-b/1\"} 0.0");
    }

    @Test
    void a_host_that_knows_the_work_of_its_store_shows_it() {
        assertThat(scrape()).noneMatch(line -> line.startsWith("sextant_store_bytes"));
        collector.store = () -> new StoreTelemetry.Load(8192, 12, 1, Duration.ofMillis(1500));
        assertThat(scrape())
                .contains(
                        "sextant_store_bytes 8192.0",
                        "sextant_store_commit_seconds_count 12",
                        "sextant_store_commit_seconds_sum 1.5",
                        "sextant_store_commits_refused_total 1.0");
    }

    @Test
    void the_jvm_and_the_process_are_named_as_by_other_clients_of_Prometheus() {
        assertThat(scrape())
                .contains("# TYPE process_cpu_seconds_total counter", "# TYPE jvm_gc_collection_seconds summary")
                .anyMatch(line -> line.matches("jvm_memory_used_bytes\\{area=\"heap\"} [1-9].*"))
                .anyMatch(line -> line.matches("process_open_fds [1-9].*"));
    }
}
