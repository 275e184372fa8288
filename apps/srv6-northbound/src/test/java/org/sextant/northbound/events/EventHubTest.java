// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.net.Host;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.port.Inventory;
import org.sextant.core.port.Subscription;
import org.sextant.core.port.Telemetry;
import org.sextant.kit.app.EventSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class EventHubTest {
    private static final Network EMPTY = new Network(List.of(), List.of(), List.of());
    private final Sources sources = new Sources();
    private final EventHub hub = new EventHub();

    @BeforeEach
    void activate() {
        hub.inventory = sources;
        hub.telemetry = sources;
        hub.intents = (org.sextant.core.intent.Intents) java.lang.reflect.Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {org.sextant.core.intent.Intents.class},
                (proxy, method, arguments) -> (Subscription) () -> {});
        hub.activate();
    }

    @AfterEach
    void deactivate() {
        hub.deactivate();
    }

    @Test
    void a_client_is_told_to_look_first_and_of_changes_then() throws InterruptedException {
        Listener client = new Listener();
        assertThat(hub.serve(client)).isTrue();
        assertThat(client.next()).startsWith("event: network");
        sources.change(EMPTY, withHost());
        assertThat(client.next()).startsWith("event: network");
    }

    @Test
    void nodes_count_only_while_somebody_listens() throws InterruptedException {
        assertThat(sources.counting).isNull();
        Listener client = new Listener();
        hub.serve(client);
        client.next();
        assertThat(sources.counting).isNotNull();
        sources.count(0, 0);
        sources.count(1, 125);
        assertThat(client.next())
                .isEqualTo("event: traffic\ndata: {\"ports\":[{\"node\":\"l1\",\"port\":1,\"inBitsPerSecond\":1000,"
                        + "\"outBitsPerSecond\":0}]}\n\n");
        client.leave();
        sources.change(EMPTY, withHost());
        assertThat(sources.stopped.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void apps_tell_only_while_somebody_listens_and_many_things_at_once() throws InterruptedException {
        App early = new App();
        hub.addApp(early);
        assertThat(early.anew).isNull();
        Listener client = new Listener();
        hub.serve(client);
        client.next();
        App late = new App();
        hub.addApp(late);
        early.tell("toyNoise", 1);
        early.tell("toyNoise", 2);
        late.tell("toyOther", 3);
        assertThat(List.of(client.next(), client.next(), client.next()))
                .containsExactlyInAnyOrder(
                        "event: toyNoise\ndata: 1\n\n", "event: toyNoise\ndata: 2\n\n", "event: toyOther\ndata: 3\n\n");
        hub.removeApp(late);
        assertThat(late.anew).isNull();
        client.leave();
        early.tell("toyNoise", 4);
        assertThat(early.left.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_client_that_left_is_closed() throws InterruptedException {
        Listener client = new Listener();
        hub.serve(client);
        client.next();
        client.leave();
        sources.change(EMPTY, withHost());
        assertThat(client.closed.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void one_client_too_many_is_turned_away() {
        for (int i = 0; i < EventHub.MAX_CLIENTS; i++) {
            assertThat(hub.serve(new Listener())).isTrue();
        }
        assertThat(hub.serve(new Listener())).isFalse();
    }

    @Test
    void clients_are_let_go_when_the_hub_ends() throws InterruptedException {
        Listener client = new Listener();
        hub.serve(client);
        client.next();
        hub.deactivate();
        assertThat(client.closed.await(10, TimeUnit.SECONDS)).isTrue();
    }

    private static Network withHost() {
        return new Network(
                List.of(),
                List.of(),
                List.of(new Host("h1", java.util.Optional.empty(), List.of(), new Link.End("l1", 1))));
    }

    private static final class Listener implements EventHub.Client {
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        private final CountDownLatch closed = new CountDownLatch(1);
        private volatile boolean gone;

        @Override
        public void send(String text) throws IOException {
            if (gone) {
                throw new IOException("gone");
            }
            if (!text.startsWith(":")) {
                heard.add(text);
            }
        }

        @Override
        public void close() {
            closed.countDown();
        }

        void leave() {
            gone = true;
        }

        String next() throws InterruptedException {
            return heard.poll(10, TimeUnit.SECONDS);
        }
    }

    private static final class App implements EventSource {
        private final List<Told> told = new ArrayList<>();
        private final CountDownLatch left = new CountDownLatch(1);
        private volatile Runnable anew;

        @Override
        public Subscription listen(Runnable somethingIsNew) {
            anew = somethingIsNew;
            return () -> {
                anew = null;
                left.countDown();
            };
        }

        void tell(String kind, int number) {
            synchronized (told) {
                told.add(new Told(kind, JsonNodeFactory.instance.numberNode(number)));
            }
            anew.run();
        }

        @Override
        public List<Told> take() {
            synchronized (told) {
                List<Told> all = List.copyOf(told);
                told.clear();
                return all;
            }
        }
    }

    private static final class Sources implements Inventory, Telemetry {
        private final CountDownLatch stopped = new CountDownLatch(1);
        private volatile BiConsumer<Network, Network> changes;
        private volatile Consumer<Sample> counting;

        void change(Network before, Network after) {
            changes.accept(before, after);
        }

        void count(long second, long inBytes) {
            counting.accept(new Sample("l1", second * 1_000_000_000L, Map.of(1, new PortCounters(inBytes, 0))));
        }

        @Override
        public Network snapshot() {
            return EMPTY;
        }

        @Override
        public Subscription onChange(BiConsumer<Network, Network> listener) {
            changes = listener;
            return () -> changes = null;
        }

        @Override
        public Subscription onCounters(Consumer<Sample> listener) {
            counting = listener;
            return stopped::countDown;
        }
    }
}
