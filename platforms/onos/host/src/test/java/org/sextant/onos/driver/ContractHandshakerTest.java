// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.cluster.ControllerNode;
import org.onosproject.cluster.DefaultControllerNode;
import org.onosproject.cluster.NodeId;

class ContractHandshakerTest {
    private static final List<ControllerNode> MEMBERS = Stream.of("10.0.0.1", "10.0.0.2", "10.0.0.10")
            .<ControllerNode>map(id -> new DefaultControllerNode(new NodeId(id), IpAddress.valueOf(id)))
            .toList();

    /**
     * An ONOS that comes back is the last of the candidates; the one that was the last before it is not notified that
     * it moved up.
     */
    @Test
    void each_standby_has_an_election_id_of_its_own_in_whatever_order_members_come() {
        List<ControllerNode> listed = new ArrayList<>(MEMBERS);
        for (int i = 0; i < listed.size(); i++) {
            Collections.rotate(listed, 1);
            assertThat(MEMBERS.stream().map(local -> ContractHandshaker.standby(local, listed)))
                    .containsExactlyInAnyOrder(1, 2, 3);
            assertThat(ContractHandshaker.standby(MEMBERS.get(0), listed)).isEqualTo(1);
        }
    }
}
