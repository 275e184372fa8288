// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.sextant.core.calls.Daemons;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.loop.EngineThread;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.Inventory;
import org.sextant.core.port.Member;
import org.sextant.core.provision.ProtectionKind;
import org.sextant.core.provision.Provisioning;
import org.sextant.core.replay.RecordingWriter;
import org.sextant.core.spf.PacedInventory;
import org.sextant.karaf.host.discovery.Discovery;
import org.sextant.karaf.host.inventory.Description;
import org.sextant.karaf.host.inventory.LinkDelays;
import org.sextant.karaf.host.inventory.LiveInventory;
import org.sextant.karaf.host.neighbors.NeighborResponder;
import org.sextant.karaf.host.store.SqliteStore;
import org.sextant.karaf.southbound.P4RuntimeDataPlane;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All parts of the stand-alone controller and how they feed each other:
 *
 * <pre>
 *   description -> sessions -> ports, frames -> discovery -> inventory -> engine -> sessions
 *                           -> delays of links ------------>
 * </pre>
 *
 * Knows no OSGi. Closing undoes in reverse.
 */
final class Controller implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);
    private static final int LLDP_KEY_BYTES = 32;
    private static final long FILE_CHECK_SECONDS = 2;

    private final Deque<Runnable> undo = new ArrayDeque<>();
    private final SqliteStore store;
    private final P4RuntimeDataPlane dataPlane;
    private final LiveInventory inventory;
    private final IntentEngine engine;
    private final Coordination coordination;

    /** @param self the identity of this controller */
    Controller(Settings settings, Member self) {
        coordination = new StandaloneCoordination(self);
        try {
            store = new SqliteStore(settings.store());
            undo.push(store::close);
            ScheduledExecutorService inventoryThread = thread("sextant-inventory");
            ScheduledExecutorService clock = thread("sextant-clock");
            dataPlane = new P4RuntimeDataPlane(store, settings.tls());
            undo.push(dataPlane::close);
            inventory = new LiveInventory(inventoryThread, Clock.systemUTC());
            undo.push(dataPlane.onPorts(inventory::ports)::close);
            undo.push(dataPlane.onState(state -> inventory.sessions(dataPlane.ready()))::close);
            LinkDelays delays = new LinkDelays(dataPlane, System::nanoTime, inventory::measured);
            undo.push(delays::close);
            Description description = new Description(store, settings.network(), network -> {
                inventory.describe(network);
                delays.describe(network);
                dataPlane.manage(network.nodes().values());
            });
            discover(settings.lldpSeconds(), clock);
            NeighborResponder neighbors = new NeighborResponder(inventory::snapshot, dataPlane::send);
            undo.push(dataPlane.onPacket(neighbors::received)::close);
            description.start();
            inventory.settle();
            PacedInventory paced = PacedInventory.of(inventory, thread("sextant-spf"));
            undo.push(paced::close);
            engine = engine(paced, settings.recording());
            undo.push(engine::close);
            undo.push(engine.listen(EngineLog::log)::close);
            undo.push(engine.register(new Provisioning())::close);
            undo.push(engine.register(new ProtectionKind())::close);
            engine.start();
            clock.scheduleWithFixedDelay(guarded(delays::settle), 1, 1, TimeUnit.SECONDS);
            clock.scheduleWithFixedDelay(
                    guarded(description::checkFile), FILE_CHECK_SECONDS, FILE_CHECK_SECONDS, TimeUnit.SECONDS);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private void discover(int seconds, ScheduledExecutorService clock) {
        if (seconds == 0) {
            return;
        }
        byte[] key = new byte[LLDP_KEY_BYTES];
        new SecureRandom().nextBytes(key);
        Discovery discovery = new Discovery(key, 4 * seconds, dataPlane::send, inventory::discovered);
        undo.push(dataPlane.onPacket(discovery::received)::close);
        clock.scheduleWithFixedDelay(
                guarded(() -> discovery.round(inventory.snapshot(), dataPlane.ready())), 1, seconds, TimeUnit.SECONDS);
    }

    /** A repeated task that throws once is never run again; a log line is better than silence. */
    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                LOG.error("a periodic task failed; it runs again next time", e);
            }
        };
    }

    private IntentEngine engine(Inventory network, Optional<Path> recording) {
        Optional<RecordingWriter> recorder = recording.map(file -> RecordingWriter.of(file, LOG::warn));
        recorder.ifPresent(writer -> undo.push(writer::close));
        return new IntentEngine(
                new IntentEngine.Ports(network, dataPlane, store, coordination),
                EngineSettings.DEFAULT,
                EngineThread.factory(EngineSettings.DEFAULT.clock(), recorder));
    }

    private ScheduledExecutorService thread(String name) {
        ScheduledExecutorService executor = Daemons.clock(name);
        undo.push(executor::shutdownNow);
        return executor;
    }

    SqliteStore store() {
        return store;
    }

    P4RuntimeDataPlane dataPlane() {
        return dataPlane;
    }

    LiveInventory inventory() {
        return inventory;
    }

    IntentEngine engine() {
        return engine;
    }

    Coordination coordination() {
        return coordination;
    }

    @Override
    public void close() {
        while (!undo.isEmpty()) {
            try {
                undo.pop().run();
            } catch (RuntimeException e) {
                LOG.error("a part of the controller did not close; the others do", e);
            }
        }
    }
}
