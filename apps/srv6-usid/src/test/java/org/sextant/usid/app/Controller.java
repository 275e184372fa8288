// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.port.LivenessTelemetry;
import org.sextant.core.port.Subscription;
import org.sextant.core.table.Entry;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Steering;
import org.sextant.usid.Fig4;

/** The engine with policies, between fakes of the four ports, over the paper's Figure 4. */
public final class Controller implements AutoCloseable {
    public final FakeInventory inventory = new FakeInventory(Fig4.NETWORK);
    public final FakeDataPlane dataPlane = new FakeDataPlane();
    public final FakeStore store = new FakeStore();
    public final IntentEngine engine = new IntentEngine(
            inventory,
            dataPlane,
            store,
            new FakeCoordination(),
            EngineSettings.DEFAULT
                    .withAuditInterval(Duration.ZERO)
                    .withAdoptionGrace(Duration.ZERO)
                    .withRetryDelay(Duration.ofHours(1)));
    public final PolicyApp app = new PolicyApp();
    final Nodes nodes = new Nodes();

    public Controller() {
        app.engine = engine;
        app.activate();
        app.reroutes.engine = engine;
        app.reroutes.activate();
        app.liveness.engine = engine;
        app.liveness.telemetry = nodes;
        app.liveness.activate();
        inventory.snapshot().nodes().keySet().forEach(dataPlane::connect);
        engine.start();
        settle();
    }

    /** Waits until the engine is idle and all its subscribers have received its events. */
    public void settle() {
        await(engine.idle());
        EngineEvent.IntentReported last =
                new EngineEvent.IntentReported(new IntentRef("test", "settled"), "settled", false, "");
        CompletableFuture<Void> heard = new CompletableFuture<>();
        Subscription listening = engine.listen(event -> {
            if (event == last) {
                heard.complete(null);
            }
        });
        engine.report(last);
        await(heard);
        listening.close();
    }

    /** Segment lists and steering on a node. */
    public List<Entry> held(String node) {
        return dataPlane.held(node).values().stream()
                .filter(entry -> entry instanceof SidList || entry instanceof Steering)
                .toList();
    }

    /** The reports of nodes on lists with liveness detection. */
    static final class Nodes implements LivenessTelemetry {
        final List<Consumer<Seen>> heard = new CopyOnWriteArrayList<>();

        @Override
        public Subscription onLiveness(Consumer<Seen> listener) {
            heard.add(listener);
            return () -> heard.remove(listener);
        }

        void say(Seen seen) {
            heard.forEach(listener -> listener.accept(seen));
        }
    }

    static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("did not settle", e);
        }
    }

    @Override
    public void close() {
        app.reroutes.deactivate();
        engine.close();
    }
}
