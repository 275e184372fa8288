// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.driver;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.AbstractProjectableModel;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.NetworkConfigEvent;
import org.onosproject.net.config.NetworkConfigListener;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.config.basics.BasicDeviceConfig;
import org.onosproject.net.device.DeviceAdminService;
import org.onosproject.net.pi.model.PiPipeconfId;
import org.onosproject.net.pi.service.PiPipeconfMappingStore;
import org.onosproject.net.pi.service.PiPipeconfService;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.calls.Daemons;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes devices with outdated state from ONOS; ONOS's provider connects them anew, as they are in the network
 * configuration, at its next checkup. Nodes keep their entries.
 *
 * <ul>
 *   <li>A device with a driver of an earlier start of this bundle ({@link EarlierDrivers}).
 *   <li>A device whose {@code pipeconf} is another in the network configuration than the one that it was bound to: ONOS binds
 *       a device once, stores that, and refuses every other binding ({@code PiPipeconfManager.bindToDevice}).
 *   <li>A device whose {@code driver} is another there than the one that it uses, which it looked up once.
 * </ul>
 */
@Component(
        immediate = true,
        service = {})
public final class DeviceRenewal {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceRenewal.class);

    private static final Duration AGAIN = Duration.ofSeconds(1);

    /** Between a driver and a pipeconf, in the name of the driver that ONOS merges of both. */
    private static final String MERGED = ":";

    private final EarlierDrivers earlier = new EarlierDrivers(getClass().getClassLoader());
    private final ScheduledExecutorService thread = Daemons.clock("sextant-devices");
    private final NetworkConfigListener listener = this::configured;

    @Reference
    DeviceAdminService devices;

    @Reference
    MastershipService masterships;

    @Reference
    NetworkConfigService netcfg;

    @Reference
    PiPipeconfService pipeconfs;

    @Reference
    PiPipeconfMappingStore bindings;

    /** The devices' new drivers must be there before the old ones go. */
    @Reference
    Srv6DriversLoader drivers;

    @Activate
    void activate() {
        netcfg.addListener(listener);
        thread.execute(this::renewAll);
    }

    @Deactivate
    void deactivate() {
        netcfg.removeListener(listener);
        thread.shutdownNow();
    }

    /** Returns when earlier requests are done, or were put off. */
    void settle(int seconds) throws InterruptedException, ExecutionException, TimeoutException {
        thread.submit(() -> {}).get(seconds, TimeUnit.SECONDS);
    }

    private void configured(NetworkConfigEvent event) {
        if (event.configClass().equals(BasicDeviceConfig.class)
                && event.type() == NetworkConfigEvent.Type.CONFIG_UPDATED
                && event.subject() instanceof DeviceId device) {
            thread.execute(() -> compare(device)); // it writes a store of the cluster: not for a listener
        }
    }

    private void renewAll() {
        if (!drivers.loaded()) {
            thread.schedule(this::renewAll, AGAIN.toMillis(), TimeUnit.MILLISECONDS);
            return;
        }
        List<DeviceId> stale = new ArrayList<>();
        for (Device device : devices.getDevices()) {
            if (earlier.serve(device)) {
                stale.add(device.id());
            }
        }
        stale.forEach(device -> renew(device, "its driver is of an earlier start of the application"));
        netcfg.getSubjects(DeviceId.class, BasicDeviceConfig.class).forEach(this::compare);
    }

    private void compare(DeviceId device) {
        BasicDeviceConfig config = netcfg.getConfig(device, BasicDeviceConfig.class);
        if (config == null || config.pipeconf() == null || !drivers.has(config.driver())) {
            return;
        }
        PiPipeconfId described = new PiPipeconfId(config.pipeconf());
        PiPipeconfId bound = bindings.getPipeconfId(device);
        if (bound == null || pipeconfs.getPipeconf(described).isEmpty()) {
            return; // ONOS binds it when it connects; the inventory complains about a missing one
        }
        if (!bound.equals(described)) {
            rebind(device, bound, described);
        } else if (devices.getDevice(device) instanceof AbstractProjectableModel model
                && model.driver() != null
                && !model.driver().name().equals(config.driver() + MERGED + bound)) {
            renew(device, "it is described with the driver " + config.driver());
        }
    }

    /** One member of the cluster does it: the device's master, if it has one. */
    private void rebind(DeviceId device, PiPipeconfId bound, PiPipeconfId described) {
        if (masterships.getMasterFor(device) == null || masterships.isLocalMaster(device)) {
            bindings.createOrUpdateBinding(device, described);
            renew(device, "it was bound to " + bound + " and is described with " + described);
        }
    }

    private void renew(DeviceId device, String why) {
        try {
            devices.removeDevice(device);
            LOG.info("device={} connectsAnew=true why=\"{}\"", device, why);
        } catch (RuntimeException e) {
            LOG.error(
                    "device={} problem=\"it could not be removed\" remedy=\"onos:device-remove {}\"",
                    device,
                    device,
                    e);
        }
    }
}
