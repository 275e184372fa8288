// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.Intents;
import org.sextant.core.net.Host;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.port.Inventory;
import org.sextant.core.port.Subscription;

@DisplayNameGeneration(ReplaceUnderscores.class)
class LogKeeperTest {
    private static final Instant NOW = Instant.parse("2026-11-23T06:43:00Z");
    private static final Network EMPTY = new Network(List.of(), List.of(), List.of());

    private final List<Consumer<EngineEvent>> engine = new ArrayList<>();
    private final List<BiConsumer<Network, Network>> network = new ArrayList<>();
    private final LogKeeper keeper = new LogKeeper(Clock.fixed(NOW, ZoneOffset.UTC));

    LogKeeperTest() {
        keeper.inventory = new Inventory() {
            @Override
            public Network snapshot() {
                return EMPTY;
            }

            @Override
            public Subscription onChange(BiConsumer<Network, Network> listener) {
                network.add(listener);
                return () -> network.remove(listener);
            }
        };
        keeper.intents = (Intents) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Intents.class}, (proxy, method, arguments) -> {
                    @SuppressWarnings("unchecked")
                    Consumer<EngineEvent> listener = (Consumer<EngineEvent>) arguments[0];
                    engine.add(listener);
                    return (Subscription) () -> engine.remove(listener);
                });
        keeper.activate();
    }

    @Test
    void what_the_engine_and_the_inventory_tell_is_kept_with_the_controllers_time() {
        engine.get(0).accept(report("path 1 is silent"));
        network.get(0).accept(EMPTY, withHost());
        List<LogEvent> events = keeper.find(LogQuery.parse(null, null, null, null, null, null));
        assertThat(events).extracting(LogEvent::kind).containsExactly(LogKind.CONTROLLER, LogKind.PATH);
        assertThat(events).extracting(LogEvent::last).containsOnly(NOW);
    }

    @Test
    void however_much_happened_the_stream_is_told_one_number() {
        List<String> anew = new ArrayList<>();
        Subscription listening = keeper.listen(() -> anew.add("anew"));
        assertThat(keeper.take()).isEmpty();
        for (int i = 0; i < 10_000; i++) {
            engine.get(0).accept(report("path " + i + " is silent"));
        }
        assertThat(anew).hasSize(10_000);
        assertThat(keeper.take()).singleElement().satisfies(told -> {
            assertThat(told.kind()).isEqualTo("log");
            assertThat(told.data()).hasToString("{\"number\":10000}");
        });
        assertThat(keeper.take()).isEmpty();
        listening.close();
        engine.get(0).accept(report("path 1 is back"));
        assertThat(anew).hasSize(10_000);
    }

    @Test
    void it_listens_as_long_as_it_is_active() {
        keeper.deactivate();
        assertThat(engine).isEmpty();
        assertThat(network).isEmpty();
    }

    private static EngineEvent report(String message) {
        return new EngineEvent.IntentReported(new IntentRef("policy", "gold"), "path", true, message);
    }

    private static Network withHost() {
        Host host = new Host("h11", java.util.Optional.empty(), List.of(), new Link.End("l1", 3));
        return new Network(List.of(), List.of(), List.of(host));
    }
}
