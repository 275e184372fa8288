// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.driver;

import java.util.Set;
import java.util.stream.IntStream;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.pi.runtime.PiMulticastGroupEntry;
import org.onosproject.net.pi.runtime.PiMulticastGroupEntryHandle;
import org.onosproject.net.pi.runtime.PiPreReplica;
import org.sextant.core.table.MulticastGroup;

/** Multicast groups as ONOS's P4Runtime client sends and receives them. */
final class Groups {

    /** No port of a switch. */
    private static final int NOWHERE = 0x1ff;

    private Groups() {}

    /** P4Runtime reads all of them when asked for number 0. */
    static PiMulticastGroupEntryHandle all(DeviceId device) {
        return PiMulticastGroupEntryHandle.of(device, 0);
    }

    static PiMulticastGroupEntry encode(MulticastGroup group) {
        PiMulticastGroupEntry.Builder entry = PiMulticastGroupEntry.builder().withGroupId(group.id());
        IntStream.rangeClosed(1, group.copies())
                .forEach(instance -> entry.addReplica(new PiPreReplica(PortNumber.portNumber(group.port()), instance)));
        return entry.build();
    }

    /** A group of other copies than ours reads as one of ours that is not as wanted. */
    static MulticastGroup decode(PiMulticastGroupEntry entry) {
        Set<PiPreReplica> replicas = entry.replicas();
        int port = replicas.stream()
                .mapToInt(replica -> (int) replica.egressPort().toLong())
                .min()
                .orElse(NOWHERE);
        MulticastGroup group =
                new MulticastGroup(entry.groupId(), Math.min(Math.max(1, port), NOWHERE), Math.max(1, replicas.size()));
        return encode(group).replicas().equals(replicas)
                ? group
                : new MulticastGroup(group.id(), NOWHERE, group.copies());
    }
}
