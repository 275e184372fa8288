// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.livelive.LabNetwork;
import org.sextant.livelive.plan.LiveLiveKind;

/** The engine with flows, between fakes of the four ports, over the network of six paths. */
public final class LiveController implements AutoCloseable {
    public final FakeInventory inventory = new FakeInventory(LabNetwork.SIX);
    public final FakeDataPlane dataPlane = new FakeDataPlane();
    public final FakeStore store;
    public final FakeCoordination coordination = new FakeCoordination();

    /** The counters of nodes, by node, array and cell. */
    public final Map<String, Counters> cells = new HashMap<>();

    public final List<String> told = new ArrayList<>();
    public final IntentEngine engine;
    public final FlowIntents flows;
    public final LiveLiveApp app = new LiveLiveApp();

    public LiveController() {
        this(new FakeStore());
    }

    /** @param store the content that a former controller left */
    public LiveController(FakeStore store) {
        this.store = store;
        engine = new IntentEngine(
                inventory,
                dataPlane,
                store,
                coordination,
                EngineSettings.DEFAULT
                        .withAuditInterval(Duration.ZERO)
                        .withAdoptionGrace(Duration.ZERO)
                        .withRetryDelay(Duration.ofHours(1)));
        LiveLiveKind kind = new LiveLiveKind(LabNetwork.compiler());
        engine.register(kind);
        DataPlane counting = counting();
        Readings readings = new Readings(counting, duration -> {});
        Watch watch = new Watch(readings, clock(), (flow, event) -> told.add(flow + ": " + event.message()));
        flows = new FlowIntents(engine, kind);
        app.flows = flows;
        app.watch = watch;
        inventory.snapshot().nodes().keySet().forEach(dataPlane::connect);
        engine.start();
        settle();
    }

    /** Advances by two seconds at every read. */
    private static Clock clock() {
        AtomicLong seconds = new AtomicLong();
        return new Clock() {
            @Override
            public Instant instant() {
                return Instant.ofEpochSecond(seconds.addAndGet(2));
            }

            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                throw new UnsupportedOperationException();
            }
        };
    }

    /** The fake data plane with cells. */
    private DataPlane counting() {
        return (DataPlane) Proxy.newProxyInstance(
                DataPlane.class.getClassLoader(), new Class<?>[] {DataPlane.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("cells")) {
                        return cells((String) arguments[0], (String) arguments[1], (Set<?>) arguments[2]);
                    }
                    try {
                        return method.invoke(dataPlane, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private Map<Integer, Counters> cells(String node, String array, Set<?> indexes) {
        Map<Integer, Counters> found = new HashMap<>();
        for (Object index : indexes) {
            found.put((Integer) index, cells.getOrDefault(node + " " + array + " " + index, new Counters(0, 0)));
        }
        return found;
    }

    /** Sets a cell of the window of a flow and path. */
    public void count(String node, String array, int window, int path, long packets) {
        cells.put(node + " " + array + " " + (window * 16 + path), new Counters(packets, packets * 100));
    }

    public void settle() {
        await(engine.idle());
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
        engine.close();
    }
}
