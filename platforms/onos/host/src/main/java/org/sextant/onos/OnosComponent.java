// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import org.onosproject.cfg.ComponentConfigService;
import org.onosproject.cluster.ClusterEventListener;
import org.onosproject.cluster.ClusterService;
import org.onosproject.cluster.LeadershipService;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.NetworkConfigRegistry;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.host.HostService;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.service.PiPipeconfService;
import org.onosproject.store.service.StorageService;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.calls.Daemons;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.Intents;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.loop.EngineThread;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.Inventory;
import org.sextant.core.port.Store;
import org.sextant.core.provision.ProtectionKind;
import org.sextant.core.provision.Provisioning;
import org.sextant.core.replay.RecordingWriter;
import org.sextant.core.spf.PacedInventory;
import org.sextant.onos.driver.OnosApp;
import org.sextant.onos.driver.Refusals;
import org.sextant.onos.inventory.OnosInventory;
import org.sextant.onos.netcfg.Srv6Configs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the engine over ONOS's services and offers its parts as services; a changed property starts it again. */
@Component(
        immediate = true,
        service = {},
        property = {
            Settings.COALESCE + ":Integer=20",
            Settings.PATIENCE + ":Integer=15",
            Settings.ADOPT + ":Boolean=true",
            Settings.RECORDING + "="
        })
public final class OnosComponent {
    private static final Logger LOG = LoggerFactory.getLogger(OnosComponent.class);
    private static final String FLOW_RULE_MANAGER = "org.onosproject.net.flow.impl.FlowRuleManager";

    private final Deque<Runnable> undo = new ArrayDeque<>();
    private Settings settings;

    @Reference
    CoreService core;

    @Reference
    ComponentConfigService componentConfig;

    @Reference
    ClusterService cluster;

    @Reference
    MastershipService masterships;

    @Reference
    LeadershipService leaderships;

    @Reference
    StorageService storage;

    @Reference
    NetworkConfigRegistry netcfg;

    @Reference
    DeviceService devices;

    @Reference
    LinkService links;

    @Reference
    HostService hosts;

    @Reference
    FlowRuleService flowRules;

    @Reference
    PiPipeconfService pipeconfs;

    @Reference
    Refusals refusals;

    @Activate
    void activate(BundleContext context, Map<String, Object> properties) {
        componentConfig.registerProperties(getClass());
        restart(context, Settings.of(properties));
    }

    /** ONOS writes the properties back when they are registered: only a change of their values is one. */
    @Modified
    void modified(BundleContext context, Map<String, Object> properties) {
        Settings news = Settings.of(properties);
        if (!news.equals(settings)) {
            restart(context, news);
        }
    }

    private void restart(BundleContext context, Settings news) {
        stop();
        try {
            start(context, news);
            settings = news;
        } catch (RuntimeException | Error e) {
            stop();
            throw e;
        }
    }

    private void start(BundleContext context, Settings settings) {
        ApplicationId app = core.registerApplication(OnosApp.NAME);
        // Else ONOS removes every row that this run of it did not write: after a restart, all of them.
        String adopt = Boolean.toString(settings.adoptEntries());
        componentConfig.preSetProperty(FLOW_RULE_MANAGER, "allowExtraneousRules", adopt);
        componentConfig.preSetProperty(FLOW_RULE_MANAGER, "importExtraneousRules", adopt);
        undo.push(Srv6Configs.register(netcfg));

        OnosInventory inventory = new OnosInventory(
                thread("sextant-inventory"), netcfg, devices, links, hosts, pipeconfs, app, settings.coalesceMillis());
        undo.push(inventory::close);
        inventory.settle();
        ScheduledExecutorService background = thread("sextant-store");
        Storage shared = new Storage(storage, app, background);
        OnosStore store = new OnosStore(shared, cluster.getLocalNode().id().id());
        store.settle();
        follow(shared::away, () -> background.execute(store::settle));
        shared.beat();
        OnosCoordination coordination = new OnosCoordination(
                masterships,
                leaderships,
                cluster,
                context.getBundle().getVersion().toString(),
                inventory::deviceOf,
                devices::isAvailable,
                shared::reachable);
        undo.push(coordination::close);
        store.afterCatchingUp(coordination::tell);
        OnosDataPlane dataPlane = new OnosDataPlane(
                devices,
                flowRules,
                new LastKnown<DeviceId, PiPipeconf>(shared::reachable, pipeconfs::getPipeconf)::of,
                refusals,
                inventory::snapshot,
                app,
                settings.writePatience(),
                shared::current,
                thread("sextant-ready"));
        undo.push(dataPlane::close);
        undo.push(inventory.onChange((before, after) -> {
            if (!before.nodes().keySet().equals(after.nodes().keySet())) {
                coordination.tell();
                dataPlane.refresh();
            }
        })::close);

        PacedInventory paced = PacedInventory.of(inventory, thread("sextant-spf"));
        undo.push(paced::close);
        IntentEngine engine = started(new IntentEngine(
                new IntentEngine.Ports(paced, dataPlane, store, coordination),
                EngineSettings.DEFAULT,
                EngineThread.factory(EngineSettings.DEFAULT.clock(), recorder(settings))));
        dataPlane.refresh();

        offer(context, Store.class, store);
        offer(context, Coordination.class, coordination);
        offer(context, Inventory.class, inventory);
        offer(context, DataPlane.class, dataPlane);
        offer(context, Intents.class, engine);
    }

    /**
     * A controller that is notified of the end of another one finishes its work; one that is notified of a return may
     * have been away itself.
     */
    private void follow(Runnable come, Runnable gone) {
        ClusterEventListener listener = event -> {
            switch (event.type()) {
                case INSTANCE_READY -> come.run();
                case INSTANCE_DEACTIVATED, INSTANCE_REMOVED -> gone.run();
                default -> {
                    // it starts
                }
            }
        };
        cluster.addListener(listener);
        undo.push(() -> cluster.removeListener(listener));
    }

    private Optional<RecordingWriter> recorder(Settings settings) {
        Optional<RecordingWriter> recorder = settings.recording().map(file -> RecordingWriter.of(file, LOG::warn));
        recorder.ifPresent(writer -> undo.push(writer::close));
        return recorder;
    }

    private IntentEngine started(IntentEngine engine) {
        undo.push(engine::close);
        undo.push(engine.listen(EngineLog::log)::close);
        undo.push(engine.register(new Provisioning())::close);
        undo.push(engine.register(new ProtectionKind())::close);
        engine.start();
        return engine;
    }

    private ScheduledExecutorService thread(String name) {
        ScheduledExecutorService executor = Daemons.clock(name);
        undo.push(executor::shutdownNow);
        return executor;
    }

    private <T> void offer(BundleContext context, Class<T> port, T service) {
        ServiceRegistration<T> registration = context.registerService(port, service, null);
        undo.push(registration::unregister);
    }

    @Deactivate
    void deactivate() {
        stop();
        componentConfig.unregisterProperties(getClass(), false);
    }

    private void stop() {
        while (!undo.isEmpty()) {
            try {
                undo.pop().run();
            } catch (RuntimeException e) {
                LOG.error("a part of the controller did not close; the others do", e);
            }
        }
    }
}
