// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
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
import org.onosproject.net.MastershipRole;
import org.sextant.core.contract.CoordinationContract;
import org.sextant.core.port.Coordination;

class OnosCoordinationContractTest extends CoordinationContract {
    private static final NodeId SELF = NodeId.nodeId("self");
    private static final DeviceId DEVICE = DeviceId.deviceId("device:n1");

    private final Masterships masterships = new Masterships();
    private final Leaderships leaderships = new Leaderships();
    private NodeId acting = SELF;
    private final OnosCoordination coordination = new OnosCoordination(
            masterships, leaderships, SELF, key -> key.equals(NODE) ? Optional.of(DEVICE) : Optional.empty());

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

    private final class Masterships extends MastershipServiceAdapter {
        private final List<MastershipListener> listeners = new CopyOnWriteArrayList<>();

        @Override
        public MastershipRole getLocalRole(DeviceId device) {
            return acting.equals(SELF) ? MastershipRole.MASTER : MastershipRole.STANDBY;
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
            return acting;
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
