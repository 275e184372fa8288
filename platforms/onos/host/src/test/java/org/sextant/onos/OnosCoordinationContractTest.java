// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
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

class OnosCoordinationContractTest extends CoordinationContract {
    private static final NodeId SELF = NodeId.nodeId("self");
    private static final DeviceId DEVICE = DeviceId.deviceId("device:n1");

    private final Masterships masterships = new Masterships();
    private final Leaderships leaderships = new Leaderships();
    private NodeId acting = SELF;
    private boolean reachable = true;
    private boolean answering = true;
    private final OnosCoordination coordination = new OnosCoordination(
            masterships,
            leaderships,
            SELF,
            key -> key.equals(NODE) ? Optional.of(DEVICE) : Optional.empty(),
            () -> reachable);

    @Override
    protected Coordination coordination() {
        return coordination;
    }

    @Override
    protected boolean give(boolean mine) {
        acting = mine ? SELF : NodeId.nodeId("other");
        masterships.listeners.forEach(listener -> listener.event(new MastershipEvent(
                MastershipEvent.Type.MASTER_CHANGED,
                DEVICE,
                new MastershipInfo(1, Optional.of(acting), ImmutableMap.of()))));
        leaderships.listeners.forEach(listener -> listener.event(new LeadershipEvent(
                LeadershipEvent.Type.LEADER_CHANGED, leaderships.getLeadership(OnosCoordination.TOPIC))));
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

    private NodeId answer() {
        if (!answering) {
            throw new StorageException.Timeout();
        }
        return acting;
    }

    private final class Masterships extends MastershipServiceAdapter {
        private final List<MastershipListener> listeners = new CopyOnWriteArrayList<>();

        @Override
        public NodeId getMasterFor(DeviceId device) {
            return answer();
        }

        @Override
        public void addListener(MastershipListener listener) {
            listeners.add(listener);
        }
    }

    private final class Leaderships extends LeadershipServiceAdapter {
        private final List<LeadershipEventListener> listeners = new CopyOnWriteArrayList<>();

        @Override
        public NodeId getLeader(String topic) {
            return answer();
        }

        @Override
        public Leadership getLeadership(String topic) {
            return new Leadership(topic, new Leader(acting, 1, 0), List.of(acting));
        }

        @Override
        public void addListener(LeadershipEventListener listener) {
            listeners.add(listener);
        }
    }
}
