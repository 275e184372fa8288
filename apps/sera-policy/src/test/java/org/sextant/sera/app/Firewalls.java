// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.port.FirewallTelemetry;
import org.sextant.core.port.Subscription;
import org.sextant.core.table.Entry;
import org.sextant.core.table.FirewallRule;
import org.sextant.core.table.MySid;
import org.sextant.core.table.Sera;
import org.sextant.northbound.rest.Client;

/** The engine with firewalls, between fakes of the four ports, over Figure 4 of the uSID paper. */
final class Firewalls implements AutoCloseable {
    final FakeInventory inventory = new FakeInventory(org.sextant.sera.Sera.FIG4);
    final FakeDataPlane dataPlane = new FakeDataPlane();
    final FakeStore store = new FakeStore();
    final Told told = new Told();
    FirewallApp app = new FirewallApp();
    FirewallEvents news = new FirewallEvents();
    IntentEngine engine;
    Client client;

    Firewalls() {
        inventory.snapshot().nodes().keySet().forEach(dataPlane::connect);
        run();
    }

    private void run() {
        engine = new IntentEngine(
                inventory,
                dataPlane,
                store,
                new FakeCoordination(),
                EngineSettings.DEFAULT
                        .withAuditInterval(Duration.ZERO)
                        .withAdoptionGrace(Duration.ZERO)
                        .withRetryDelay(Duration.ofHours(1)));
        engine.listen(event -> {
            if (event instanceof EngineEvent.EntryRefused || event instanceof EngineEvent.Fault) {
                throw new AssertionError(event);
            }
        });
        app = new FirewallApp();
        app.engine = engine;
        app.dataPlane = dataPlane;
        app.activate();
        engine.start();
        settle();
        news = new FirewallEvents();
        news.firewalls = app;
        news.engine = engine;
        news.telemetry = told;
        news.activate();
        FirewallLog log = new FirewallLog();
        log.news = news;
        FirewallImport imports = new FirewallImport();
        imports.firewalls = app;
        FirewallTrace trace = new FirewallTrace();
        trace.firewalls = app;
        FirewallCounters counters = new FirewallCounters();
        counters.firewalls = app;
        counters.news = news;
        FirewallVersions versions = new FirewallVersions();
        versions.firewalls = app;
        FirewallRollback rollback = new FirewallRollback();
        rollback.firewalls = app;
        client = Client.of(app, imports, trace, counters, log, versions, rollback, Client.apply(engine, List.of(app)));
    }

    /** Restarts the controller with the contents of the store and of the nodes. */
    void restart() {
        news.deactivate();
        app.deactivate();
        engine.close();
        run();
    }

    void settle() {
        try {
            engine.idle().get(2, TimeUnit.MINUTES);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("did not settle", e);
        }
    }

    Client.Answer put(String path, String json) {
        return client.call("PUT", path, stream(json.replace('\'', '"')));
    }

    Client.Answer imported(String parameters, String text) {
        return client.call("POST", "firewalls/import?" + parameters, "text/plain", stream(text));
    }

    JsonNode trace(String id, String json) {
        return client.post("firewalls/" + id + "/trace", json).json();
    }

    private static ByteArrayInputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The table entries of firewalls on a node, as text. */
    List<String> rows(String node) {
        return dataPlane.held(node).values().stream()
                .filter(FirewallRule.class::isInstance)
                .map(Entry::toString)
                .sorted()
                .toList();
    }

    /** The numbers of the rule sets that SIDs of a node name. */
    List<Integer> named(String node) {
        return dataPlane.held(node).values().stream()
                .filter(MySid.class::isInstance)
                .map(entry -> ((MySid) entry).behavior())
                .filter(Sera.class::isInstance)
                .map(behavior -> ((Sera) behavior).firewall())
                .sorted()
                .toList();
    }

    /** The table entry of a rule. */
    FirewallRule row(String node, int priority) {
        return dataPlane.held(node).values().stream()
                .filter(FirewallRule.class::isInstance)
                .map(FirewallRule.class::cast)
                .filter(rule -> rule.priority() == priority)
                .findFirst()
                .orElseThrow();
    }

    /** Nodes whose firewalls report the packets of a test. */
    static final class Told implements FirewallTelemetry {
        final List<Consumer<Logged>> logged = new CopyOnWriteArrayList<>();
        final List<Consumer<Counted>> counted = new CopyOnWriteArrayList<>();

        @Override
        public Subscription onLogged(Consumer<Logged> listener) {
            logged.add(listener);
            return () -> logged.remove(listener);
        }

        @Override
        public Subscription onCounted(Consumer<Counted> listener) {
            counted.add(listener);
            return () -> counted.remove(listener);
        }

        /** A datagram to a port. */
        void packet(int ruleSet, int priority, String action, int port, long lost) {
            Logged event = new Logged(
                    "l2",
                    Instant.parse("2026-11-23T08:00:00Z"),
                    0,
                    ruleSet,
                    priority,
                    action,
                    Optional.empty(),
                    Ipv6.parse("fcbb:bbbb:200:f200::"),
                    new Inside(
                            IpAddress.parse("2001:db8:1::1"),
                            IpAddress.parse("2001:db8:2::1"),
                            17,
                            Optional.of(new Pair(1000, port)),
                            Optional.empty()),
                    0,
                    lost);
            logged.forEach(listener -> listener.accept(event));
        }
    }

    @Override
    public void close() {
        news.deactivate();
        app.deactivate();
        engine.close();
    }
}
