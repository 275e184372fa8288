// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.history;

import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.Intents;
import org.sextant.core.net.Network;
import org.sextant.core.net.NetworkFile;
import org.sextant.core.port.Subscription;
import org.sextant.core.port.Telemetry;

/** A keeper whose time passes when a test says so, over two nodes with a link of 1 Mbit/s. */
public final class Past implements AutoCloseable {
    public static final Network NETWORK = NetworkFile.parse("""
            {"devices": {"device:a": {"basic": {"name": "a"}}, "device:b": {"basic": {"name": "b"}}},
             "links": {"device:a/1-device:b/1": {"srv6": {"capacityKbps": 1000}}}}""").orThrow();
    static final Instant BEGIN = Instant.parse("2026-11-23T10:00:00Z");

    public final FakeInventory inventory = new FakeInventory(NETWORK);
    public final HistoryKeeper keeper = new HistoryKeeper();
    private final List<Consumer<EngineEvent>> engine = new CopyOnWriteArrayList<>();
    private final List<Consumer<Telemetry.Sample>> counting = new CopyOnWriteArrayList<>();
    /** Reads the clock that never jumps. */
    long nanos = 77;

    private Instant wall = BEGIN;

    public Past() {
        keeper.inventory = inventory;
        keeper.intents = (Intents) Proxy.newProxyInstance(
                Intents.class.getClassLoader(),
                new Class<?>[] {Intents.class},
                (proxy, method, arguments) ->
                        method.getName().equals("listen") ? listen(engine, arguments[0]) : List.of());
        keeper.telemetry = listener -> listen(counting, listener);
        keeper.nanos = () -> nanos;
        keeper.clock = new Wall();
        keeper.stepSeconds = TimeUnit.DAYS.toSeconds(1);
        keeper.activate();
    }

    @SuppressWarnings("unchecked")
    private static <T> Subscription listen(List<Consumer<T>> listeners, Object listener) {
        listeners.add((Consumer<T>) listener);
        return () -> listeners.remove(listener);
    }

    private final class Wall extends Clock {
        @Override
        public Instant instant() {
            return wall;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }
    }

    public void seconds(long count) {
        nanos += count * 1_000_000_000L;
        wall = wall.plusSeconds(count);
    }

    /** Sets the controller's clock. */
    public void jump(Duration by) {
        wall = wall.plus(by);
    }

    /** Ten seconds later node a has sent so much more in all, and the keeper takes it. */
    public void sent(long bytes, long packets) {
        sent(bytes, packets, Optional.empty());
    }

    /** The same of a node that counts the probes among them separately, of 100 bytes each. */
    public void sent(long bytes, long packets, long probes) {
        sent(
                bytes,
                packets,
                Optional.of(new Telemetry.ProbeCounters(0, 100 * probes, new Telemetry.Packets(0, probes))));
    }

    /** Ten seconds later node b has received so much in all, of which so many frames of 100 bytes are probes. */
    public void received(long bytes, long probes) {
        seconds(10);
        take(
                "b",
                new Telemetry.PortCounters(
                        bytes,
                        0,
                        Optional.empty(),
                        Optional.of(new Telemetry.ProbeCounters(100 * probes, 0, new Telemetry.Packets(probes, 0)))));
    }

    private void sent(long bytes, long packets, Optional<Telemetry.ProbeCounters> probes) {
        seconds(10);
        Telemetry.PortCounters counters =
                new Telemetry.PortCounters(0, bytes, Optional.of(new Telemetry.Packets(0, packets)), probes);
        take("a", counters);
    }

    private void take(String node, Telemetry.PortCounters counters) {
        counting.forEach(one -> one.accept(new Telemetry.Sample(node, nanos, Map.of(1, counters))));
        keeper.round();
    }

    public void tell(EngineEvent event) {
        engine.forEach(one -> one.accept(event));
    }

    @Override
    public void close() {
        keeper.deactivate();
    }
}
