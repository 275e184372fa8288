// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.pi.model.PiPipeconf;
import org.sextant.core.calls.CoalescedTask;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.port.DataPlane.NodeState;
import org.sextant.core.port.NodeUnavailableException;
import org.sextant.core.port.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The nodes that ONOS has available with a pipeline, and the listeners to their changes. */
final class Readiness implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Readiness.class);
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final DeviceService devices;
    private final Function<DeviceId, Optional<PiPipeconf>> pipeconfs;
    private final Supplier<Network> network;
    private final CoalescedTask telling;
    private final List<Consumer<NodeState>> listeners = new CopyOnWriteArrayList<>();
    private final Map<String, Boolean> told = new TreeMap<>();
    private final DeviceListener deviceListener = this::heard;

    /** @param thread asks ONOS which nodes are ready: that reads its stores, and ONOS interrupts listeners that take long */
    Readiness(
            DeviceService devices,
            Function<DeviceId, Optional<PiPipeconf>> pipeconfs,
            Supplier<Network> network,
            ScheduledExecutorService thread) {
        this.devices = devices;
        this.pipeconfs = pipeconfs;
        this.network = network;
        this.telling = new CoalescedTask(thread, this::tellChanges, this::askAgain);
        devices.addListener(deviceListener);
    }

    @Override
    public void close() {
        devices.removeListener(deviceListener);
    }

    private void heard(DeviceEvent event) {
        switch (event.type()) {
            case DEVICE_ADDED, DEVICE_AVAILABILITY_CHANGED, DEVICE_REMOVED, DEVICE_SUSPENDED -> refresh();
            default -> {
                // ports and annotations say nothing about tables
            }
        }
    }

    /** Reports every node whose readiness is another than when this was last called; soon, and on another thread. */
    void refresh() {
        telling.in(Duration.ZERO);
    }

    /**
     * A device that cannot be asked now is asked again: nothing else would, and the node would count as lost for ever.
     */
    private void tellChanges() {
        if (compare()) {
            telling.in(AGAIN);
        }
    }

    private void askAgain(Throwable fault) {
        LOG.warn("ONOS did not say which nodes are ready; it is asked again: {}", fault.toString());
        telling.in(AGAIN);
    }

    /** True if a node is available whose pipeconf this controller does not know yet. */
    private synchronized boolean compare() {
        Set<String> ready = ready();
        Set<String> names = new TreeSet<>(network.get().nodes().keySet());
        names.addAll(told.keySet());
        for (String name : names) {
            boolean now = ready.contains(name);
            if (told.getOrDefault(name, false) != now) {
                told.put(name, now);
                NodeState state = new NodeState(name, now, now ? "ONOS has it available" : whyNot(name));
                listeners.forEach(listener -> listener.accept(state));
            }
        }
        return network.get().nodes().entrySet().stream()
                .anyMatch(node -> !ready.contains(node.getKey())
                        && devices.isAvailable(DeviceId.deviceId(node.getValue().deviceId())));
    }

    private String whyNot(String name) {
        Node node = network.get().nodes().get(name);
        if (node == null) {
            return "it is not in the network configuration any more";
        }
        if (devices.getDevice(DeviceId.deviceId(node.deviceId())) == null) {
            return "ONOS does not know " + node.deviceId() + ": check managementAddress " + node.management()
                    + ", and that the driver and the pipeconf in the network configuration exist";
        }
        return "ONOS has no connection to " + node.deviceId() + " at " + node.management()
                + ", or its pipeline is not set";
    }

    /** Listeners are notified in the order in which they came. */
    Subscription onState(Consumer<NodeState> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    Set<String> ready() {
        Set<String> ready = new TreeSet<>();
        network.get().nodes().keySet().forEach(name -> find(name).ifPresent(device -> ready.add(name)));
        return ready;
    }

    /** The device of a node that is ready. */
    Optional<DeviceId> find(String name) {
        return Optional.ofNullable(network.get().nodes().get(name))
                .map(node -> DeviceId.deviceId(node.deviceId()))
                .filter(device ->
                        devices.isAvailable(device) && pipeconfs.apply(device).isPresent());
    }

    /** @throws NodeUnavailableException with the reason, if the node is not ready */
    DeviceId device(String name) {
        return find(name).orElseThrow(() -> new NodeUnavailableException(name, whyNot(name)));
    }

    /** That of a device that was ready. */
    PiPipeconf pipeconf(DeviceId device) {
        return pipeconfs.apply(device).orElseThrow();
    }
}
