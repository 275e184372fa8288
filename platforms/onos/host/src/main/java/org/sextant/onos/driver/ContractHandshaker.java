// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.driver;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.onosproject.cluster.ClusterService;
import org.onosproject.cluster.ControllerNode;
import org.onosproject.net.MastershipRole;
import org.onosproject.net.device.DeviceAgentListener;
import org.onosproject.net.device.DeviceHandshaker;
import org.onosproject.net.driver.AbstractHandlerBehaviour;
import org.onosproject.net.driver.DriverService;
import org.onosproject.net.provider.ProviderId;

/**
 * Connects P4Runtime and gNMI of an agent, which share one address, with ONOS's own handshakers. Mastership and
 * availability are P4Runtime's: without gNMI a node forwards, it only does not report its ports.
 */
public final class ContractHandshaker extends AbstractHandlerBehaviour implements DeviceHandshaker {

    private DeviceHandshaker p4Runtime() {
        return of("p4runtime");
    }

    private List<DeviceHandshaker> both() {
        return Stream.of("p4runtime", "gnmi").map(this::of).toList();
    }

    private DeviceHandshaker of(String driver) {
        return handler().get(DriverService.class).getDriver(driver).createBehaviour(handler(), DeviceHandshaker.class);
    }

    @Override
    public boolean connect() {
        return both().stream().allMatch(DeviceHandshaker::connect);
    }

    @Override
    public boolean hasConnection() {
        return both().stream().allMatch(DeviceHandshaker::hasConnection);
    }

    @Override
    public void disconnect() {
        both().forEach(DeviceHandshaker::disconnect);
    }

    @Override
    public boolean isReachable() {
        return p4Runtime().isReachable();
    }

    @Override
    public CompletableFuture<Boolean> probeReachability() {
        return p4Runtime().probeReachability();
    }

    @Override
    public boolean isAvailable() {
        return p4Runtime().isAvailable();
    }

    @Override
    public CompletableFuture<Boolean> probeAvailability() {
        return p4Runtime().probeAvailability();
    }

    @Override
    public void roleChanged(MastershipRole role) {
        p4Runtime().roleChanged(role);
    }

    @Override
    public void roleChanged(int preference, long term) {
        ClusterService cluster = handler().get(ClusterService.class);
        p4Runtime().roleChanged(preference == 0 ? 0 : standby(cluster.getLocalNode(), cluster.getNodes()), term);
    }

    /**
     * The preference of a standby, from which ONOS computes its election id: 1 for the first member by id. ONOS's own
     * is the place in the device's list of candidates; that changes when members come and go and others are not
     * notified, so that two have the same election id, which a P4Runtime server refuses. Which standby becomes the
     * master is not decided by it.
     */
    static int standby(ControllerNode local, Collection<ControllerNode> members) {
        return 1
                + (int) members.stream()
                        .filter(member -> member.id().id().compareTo(local.id().id()) < 0)
                        .count();
    }

    @Override
    public MastershipRole getRole() {
        return p4Runtime().getRole();
    }

    @Override
    public void addDeviceAgentListener(ProviderId provider, DeviceAgentListener listener) {
        p4Runtime().addDeviceAgentListener(provider, listener);
    }

    @Override
    public void removeDeviceAgentListener(ProviderId provider) {
        p4Runtime().removeDeviceAgentListener(provider);
    }
}
