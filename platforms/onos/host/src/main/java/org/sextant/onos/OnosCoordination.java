// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.onosproject.cluster.ClusterEvent;
import org.onosproject.cluster.ClusterEventListener;
import org.onosproject.cluster.ClusterService;
import org.onosproject.cluster.ControllerNode;
import org.onosproject.cluster.LeadershipEventListener;
import org.onosproject.cluster.LeadershipService;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipListener;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.Member;
import org.sextant.core.port.Subscription;
import org.sextant.onos.driver.OnosApp;

/**
 * The master of its device acts for a node; for all else the leader of one topic acts, for which all controllers run.
 * ONOS removes the master of a device that does not answer: the leader acts for such a node and reports it lost.
 * Members are those of ONOS's cluster.
 */
final class OnosCoordination implements Coordination, AutoCloseable {
    static final String TOPIC = OnosApp.NAME;

    /** Controllers that are remembered after they left. */
    private static final int MOST_LOST = 64;

    private final MastershipService masterships;
    private final LeadershipService leaderships;
    private final ClusterService cluster;
    private final NodeId self;
    private final String version;
    private final Function<String, Optional<DeviceId>> deviceOf;
    private final Predicate<DeviceId> available;

    /** By device; other keys have the topic's leader. */
    private final LastKnown<Optional<DeviceId>, NodeId> acting;

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final MastershipListener mastership = event -> tell();
    private final LeadershipEventListener leadership = event -> {
        if (event.subject().topic().equals(TOPIC)) {
            tell();
        }
    };

    /** ONOS forgets lost members. */
    private final Map<String, Member> lost = new ConcurrentHashMap<>();

    private final ClusterEventListener coming = event -> {
        if (event.instanceType() != ClusterEvent.InstanceType.STORAGE) { // ONOS reports its storage nodes, too
            remember(event);
            tell();
        }
    };

    /**
     * @param version the version of Sextant, here: ONOS does not know those of others
     * @param deviceOf the device that a key names, if it names one
     * @param available whether ONOS has the device available
     * @param reachable whether the storage nodes answer, which know the acting members
     */
    OnosCoordination(
            MastershipService masterships,
            LeadershipService leaderships,
            ClusterService cluster,
            String version,
            Function<String, Optional<DeviceId>> deviceOf,
            Predicate<DeviceId> available,
            BooleanSupplier reachable) {
        this.masterships = masterships;
        this.leaderships = leaderships;
        this.cluster = cluster;
        this.self = cluster.getLocalNode().id();
        this.version = version;
        this.deviceOf = deviceOf;
        this.available = available;
        this.acting = new LastKnown<>(reachable, this::ask);
        masterships.addListener(mastership);
        leaderships.addListener(leadership);
        cluster.addListener(coming);
        leaderships.runForLeadership(TOPIC);
    }

    @Override
    public boolean isMine(String key) {
        return acting.of(deviceOf.apply(key)).filter(self::equals).isPresent();
    }

    private Optional<NodeId> ask(Optional<DeviceId> device) {
        Optional<NodeId> master = device.map(masterships::getMasterFor);
        // One that is available without a master is changing hands.
        boolean waits = master.isEmpty() && device.filter(available).isPresent();
        return waits ? Optional.empty() : master.or(() -> Optional.ofNullable(leaderships.getLeader(TOPIC)));
    }

    /** A controller that is alone now may get company later, which then finds the published results. */
    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public List<Member> members() {
        Map<String, Member> members = new TreeMap<>(lost);
        cluster.getNodes().forEach(node -> members.put(node.id().id(), member(node)));
        return List.copyOf(members.values());
    }

    private void remember(ClusterEvent event) {
        String id = event.subject().id().id();
        switch (event.type()) {
            case INSTANCE_DEACTIVATED, INSTANCE_REMOVED -> {
                if (lost.size() < MOST_LOST) {
                    Optional<Instant> since = Optional.of(Instant.ofEpochMilli(event.time()));
                    lost.putIfAbsent(id, new Member(id, host(event.subject()), "", Member.State.LOST, since, false));
                }
            }
            default -> lost.remove(id);
        }
    }

    private static String host(ControllerNode node) {
        return Objects.requireNonNullElse(node.host(), "");
    }

    private Member member(ControllerNode node) {
        boolean here = node.id().equals(self);
        // ONOS may have no state for its own member yet: a member that answers is there.
        Member.State state = state(cluster.getState(node.id()), here);
        Optional<Instant> since = Optional.ofNullable(cluster.getLastUpdatedInstant(node.id()));
        return new Member(node.id().id(), host(node), here ? version : "", state, since, here);
    }

    private static Member.State state(ControllerNode.@Nullable State told, boolean here) {
        if (told == ControllerNode.State.READY) {
            return Member.State.READY;
        }
        return here || told == ControllerNode.State.ACTIVE ? Member.State.STARTING : Member.State.LOST;
    }

    @Override
    public Optional<String> leaderOf(String key) {
        return acting.of(deviceOf.apply(key)).map(NodeId::id);
    }

    @Override
    public Subscription onChange(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Also for callers that change the device which a key names. */
    void tell() {
        listeners.forEach(Runnable::run);
    }

    @Override
    public void close() {
        cluster.removeListener(coming);
        leaderships.withdraw(TOPIC);
        leaderships.removeListener(leadership);
        masterships.removeListener(mastership);
    }
}
