// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.cluster.ClusterEvent;
import org.onosproject.cluster.ClusterEventListener;
import org.onosproject.cluster.ClusterServiceAdapter;
import org.onosproject.cluster.ControllerNode;
import org.onosproject.cluster.DefaultControllerNode;
import org.onosproject.cluster.Leader;
import org.onosproject.cluster.Leadership;
import org.onosproject.cluster.LeadershipEvent;
import org.onosproject.cluster.LeadershipEventListener;
import org.onosproject.cluster.LeadershipServiceAdapter;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipEvent;
import org.onosproject.mastership.MastershipInfo;
import org.onosproject.mastership.MastershipListener;
import org.onosproject.mastership.MastershipServiceAdapter;
import org.onosproject.net.DeviceId;
import org.onosproject.store.service.StorageException;
import org.sextant.core.contract.CoordinationContract;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.Member;

class OnosCoordinationContractTest extends CoordinationContract {
    private static final NodeId SELF = NodeId.nodeId("self");
    private static final NodeId OTHER = NodeId.nodeId("other");
    private static final Instant SINCE = Instant.parse("2026-11-23T06:43:00Z");
    private static final DeviceId DEVICE = DeviceId.deviceId("device:n1");

    private final Masterships masterships = new Masterships();
    private final Leaderships leaderships = new Leaderships();
    private final Members cluster = new Members();
    private @Nullable NodeId acting = SELF;
    private boolean mastered = true;
    private boolean available = true;
    private boolean reachable = true;
    private boolean answering = true;
    private final OnosCoordination coordination = new OnosCoordination(
            masterships,
            leaderships,
            cluster,
            "1.0.0",
            key -> key.equals(NODE) ? Optional.of(DEVICE) : Optional.empty(),
            device -> available,
            () -> reachable);

    @Override
    protected Coordination coordination() {
        return coordination;
    }

    @Override
    protected boolean give(boolean mine) {
        act(mine ? SELF : OTHER);
        return true;
    }

    private void act(@Nullable NodeId node) {
        acting = node;
        masterships.listeners.forEach(listener -> listener.event(new MastershipEvent(
                MastershipEvent.Type.MASTER_CHANGED,
                DEVICE,
                new MastershipInfo(1, Optional.ofNullable(node), ImmutableMap.of()))));
        leaderships.listeners.forEach(listener -> listener.event(new LeadershipEvent(
                LeadershipEvent.Type.LEADER_CHANGED, leaderships.getLeadership(OnosCoordination.TOPIC))));
    }

    @Override
    protected boolean come(boolean there) {
        cluster.other = there ? ControllerNode.State.READY : ControllerNode.State.INACTIVE;
        cluster.tell(there ? ClusterEvent.Type.INSTANCE_READY : ClusterEvent.Type.INSTANCE_DEACTIVATED);
        return true;
    }

    @Test
    void what_ONOS_said_last_counts_while_its_storage_does_not_answer() {
        assertThat(List.of(coordination.isMine(NODE), coordination.isMine("topic")))
                .containsOnly(true);
        answering = false;
        assertThat(List.of(coordination.isMine(NODE), coordination.isMine("topic")))
                .containsOnly(true);
        reachable = false;
        answering = true;
        acting = NodeId.nodeId("other");
        assertThat(List.of(coordination.isMine(NODE), coordination.isMine("topic")))
                .containsOnly(true);
        reachable = true;
        assertThat(List.of(coordination.isMine(NODE), coordination.isMine("topic")))
                .containsOnly(false);
    }

    @Test
    void nobody_acts_for_a_device_without_a_master() {
        act(null);
        assertThat(coordination.leaderOf(NODE)).isEmpty();
        assertThat(coordination.leaderOf(Coordination.OF_NO_NODE)).isEmpty();
        assertThat(coordination.isMine(NODE)).isFalse();
    }

    /** Else a node that does not answer would be "another controller's", on the only one that there is. */
    @Test
    void the_leader_acts_for_a_device_that_is_away_and_has_no_master() {
        mastered = false;
        assertThat(coordination.leaderOf(NODE)).as("it changes hands").isEmpty();
        available = false;
        assertThat(coordination.isMine(NODE)).isTrue();
        assertThat(coordination.leaderOf(NODE)).contains(SELF.id());
        act(OTHER);
        assertThat(coordination.isMine(NODE)).isFalse();
        assertThat(coordination.leaderOf(NODE)).contains(OTHER.id());
    }

    @Test
    void a_storage_node_that_goes_was_no_member() {
        cluster.tellOfStorage(ClusterEvent.Type.INSTANCE_ADDED);
        cluster.tellOfStorage(ClusterEvent.Type.INSTANCE_DEACTIVATED);
        cluster.tellOfStorage(ClusterEvent.Type.INSTANCE_REMOVED);
        assertThat(coordination.members()).extracting(Member::id).containsExactly("self");
    }

    @Test
    void a_member_is_told_with_its_address_and_since_when_it_is_so() {
        cluster.other = ControllerNode.State.ACTIVE;
        assertThat(coordination.members())
                .containsExactly(
                        new Member("other", "192.0.2.2", "", Member.State.STARTING, Optional.of(SINCE), false),
                        new Member("self", "192.0.2.1", "1.0.0", Member.State.READY, Optional.empty(), true));
    }

    @Test
    void a_member_that_ONOS_has_forgotten_is_lost_until_it_is_back() {
        assertThat(come(true)).isTrue();
        cluster.other = null;
        cluster.tell(ClusterEvent.Type.INSTANCE_DEACTIVATED);
        cluster.tell(ClusterEvent.Type.INSTANCE_REMOVED);
        assertThat(coordination.members()).extracting(Member::id).containsExactly("other", "self");
        Member gone = coordination.members().get(0);
        assertThat(gone.state()).isEqualTo(Member.State.LOST);
        assertThat(gone.address()).isEqualTo("192.0.2.2");
        assertThat(gone.since()).isPresent();
        assertThat(come(true)).isTrue();
        cluster.other = null;
        assertThat(coordination.members()).extracting(Member::id).containsExactly("self");
    }

    @Test
    void it_listens_as_long_as_it_is_open() {
        coordination.close();
        assertThat(cluster.listeners).isEmpty();
    }

    private static final class Members extends ClusterServiceAdapter {
        private final List<ClusterEventListener> listeners = new CopyOnWriteArrayList<>();
        private ControllerNode.@Nullable State other;

        private void tell(ClusterEvent.Type type) {
            tell(new ClusterEvent(type, node(OTHER, "192.0.2.2")));
        }

        private void tellOfStorage(ClusterEvent.Type type) {
            NodeId storage = NodeId.nodeId("atomix-1");
            tell(new ClusterEvent(type, node(storage, "192.0.2.3"), ClusterEvent.InstanceType.STORAGE));
        }

        private void tell(ClusterEvent event) {
            listeners.forEach(listener -> listener.event(event));
        }

        private static ControllerNode node(NodeId id, String address) {
            return new DefaultControllerNode(id, IpAddress.valueOf(address));
        }

        @Override
        public ControllerNode getLocalNode() {
            return node(SELF, "192.0.2.1");
        }

        @Override
        public Set<ControllerNode> getNodes() {
            return other == null ? Set.of(getLocalNode()) : Set.of(getLocalNode(), node(OTHER, "192.0.2.2"));
        }

        @Override
        public ControllerNode.@Nullable State getState(NodeId node) {
            return node.equals(SELF) ? ControllerNode.State.READY : other;
        }

        @Override
        public @Nullable Instant getLastUpdatedInstant(NodeId node) {
            return node.equals(SELF) ? null : SINCE;
        }

        @Override
        public void addListener(ClusterEventListener listener) {
            listeners.add(listener);
        }

        @Override
        public void removeListener(ClusterEventListener listener) {
            listeners.remove(listener);
        }
    }

    private @Nullable NodeId answer() {
        if (!answering) {
            throw new StorageException.Timeout();
        }
        return acting;
    }

    private final class Masterships extends MastershipServiceAdapter {
        private final List<MastershipListener> listeners = new CopyOnWriteArrayList<>();

        @Override
        public @Nullable NodeId getMasterFor(DeviceId device) {
            return mastered ? answer() : null;
        }

        @Override
        public void addListener(MastershipListener listener) {
            listeners.add(listener);
        }
    }

    private final class Leaderships extends LeadershipServiceAdapter {
        private final List<LeadershipEventListener> listeners = new CopyOnWriteArrayList<>();

        @Override
        public @Nullable NodeId getLeader(String topic) {
            return answer();
        }

        @Override
        public Leadership getLeadership(String topic) {
            return acting == null
                    ? new Leadership(topic, null, List.of())
                    : new Leadership(topic, new Leader(acting, 1, 0), List.of(acting));
        }

        @Override
        public void addListener(LeadershipEventListener listener) {
            listeners.add(listener);
        }
    }
}
