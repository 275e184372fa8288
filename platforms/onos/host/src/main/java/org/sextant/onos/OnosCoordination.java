// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.onosproject.cluster.LeadershipEventListener;
import org.onosproject.cluster.LeadershipService;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipListener;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.Subscription;
import org.sextant.onos.driver.OnosApp;

/** A node is its device's master's; what is no node is the leader's of one topic that all controllers run for. */
final class OnosCoordination implements Coordination, AutoCloseable {
    static final String TOPIC = OnosApp.NAME;

    private final MastershipService masterships;
    private final LeadershipService leaderships;
    private final NodeId self;
    private final Function<String, Optional<DeviceId>> deviceOf;
    /** By device; what is none has the topic's leader. */
    private final LastKnown<Optional<DeviceId>, NodeId> acting;

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final MastershipListener mastership = event -> tell();
    private final LeadershipEventListener leadership = event -> {
        if (event.subject().topic().equals(TOPIC)) {
            tell();
        }
    };

    /**
     * @param deviceOf the device that a key names, if it names one
     * @param reachable whether the storage nodes answer, which know who acts for what
     */
    OnosCoordination(
            MastershipService masterships,
            LeadershipService leaderships,
            NodeId self,
            Function<String, Optional<DeviceId>> deviceOf,
            BooleanSupplier reachable) {
        this.masterships = masterships;
        this.leaderships = leaderships;
        this.self = self;
        this.deviceOf = deviceOf;
        this.acting = new LastKnown<>(reachable, this::ask);
        masterships.addListener(mastership);
        leaderships.addListener(leadership);
        leaderships.runForLeadership(TOPIC);
    }

    @Override
    public boolean isMine(String key) {
        return acting.of(deviceOf.apply(key)).filter(self::equals).isPresent();
    }

    private Optional<NodeId> ask(Optional<DeviceId> device) {
        return Optional.ofNullable(
                device.isPresent() ? masterships.getMasterFor(device.get()) : leaderships.getLeader(TOPIC));
    }

    /** A controller that is alone now may get company later, which then finds what was told. */
    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public Subscription onChange(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Also for whoever changes what a key names. */
    void tell() {
        listeners.forEach(Runnable::run);
    }

    @Override
    public void close() {
        leaderships.withdraw(TOPIC);
        leaderships.removeListener(leadership);
        masterships.removeListener(mastership);
    }
}
