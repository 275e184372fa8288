// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.session;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.table.Entry;
import org.sextant.core.table.GtpTunnel;
import org.sextant.core.table.Ue;
import org.sextant.mobile.Mobile;
import org.sextant.mobile.Session;
import org.sextant.mobile.SessionShape;
import org.sextant.mobile.slice.Activated;
import org.sextant.mobile.slice.SliceApp;
import org.sextant.northbound.rest.Client;

/** The engine with slices and sessions, between fakes of the four ports, over Figure 4 of the uSID paper. */
public final class Sessions implements AutoCloseable {
    final FakeInventory inventory = new FakeInventory(Mobile.FIG4);
    final FakeDataPlane dataPlane = new FakeDataPlane();
    final FakeStore store = new FakeStore();
    public SliceApp slices;
    public final SessionApp app = new SessionApp();
    IntentEngine engine;
    public Client client;

    public Sessions() {
        inventory.snapshot().nodes().keySet().forEach(dataPlane::connect);
        run();
    }

    void run() {
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
        slices = Activated.slices(engine, dataPlane);
        app.engine = engine;
        app.dataPlane = dataPlane;
        app.slices = slices;
        app.activate();
        engine.start();
        settle();
        client = Client.of(List.of(slices, app), Client.apply(engine, List.of(slices, app)));
    }

    void settle() {
        await(engine.idle());
    }

    public Client.Answer slice(String json) {
        Client.Answer answer = client.post("slices", json);
        if (answer.status() > 201) {
            throw new AssertionError(answer.json().toPrettyString());
        }
        return answer;
    }

    List<IntentStatus<Session>> all() {
        return app.intents().list();
    }

    /** The table entries of sessions on a node. */
    List<Entry> rows(String node) {
        return dataPlane.held(node).values().stream()
                .filter(entry -> entry instanceof GtpTunnel || entry instanceof Ue)
                .toList();
    }

    /** The lists that the table entries of a node steer packets into. */
    List<OptionalInt> lists(String node) {
        return dataPlane.held(node).values().stream()
                .map(Entry::sendsInto)
                .filter(OptionalInt::isPresent)
                .distinct()
                .toList();
    }

    /** Session number {@code i} between l1's gNBs and l3's UPF. */
    static String json(int i) {
        return String.format(
                "{'id': 's%d', 'ue': ['10.%d.%d.%d'], 'qfi': 9, 'uplink': {'endpoint': '198.51.100.1', 'teid': %d},"
                        + " 'downlink': {'endpoint': '192.0.2.1', 'teid': %d}}",
                i, i >> 16 & 0xff, i >> 8 & 0xff, i & 0xff, 0x1000 + i, 0x800_0000 + i);
    }

    static Session session(String slice, int i) {
        return SessionShape.in(slice).decode(Mobile.json(json(i)));
    }

    static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(2, TimeUnit.MINUTES);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("did not settle", e);
        }
    }

    @Override
    public void close() {
        app.deactivate();
        engine.close();
    }
}
