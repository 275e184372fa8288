// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import java.util.Optional;
import java.util.stream.IntStream;
import org.sextant.core.port.DataPlane.Operation;
import org.sextant.core.port.DataPlane.Stored;
import org.sextant.core.table.MulticastGroup;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.MulticastGroupEntry;
import p4.v1.P4RuntimeOuterClass.PacketReplicationEngineEntry;
import p4.v1.P4RuntimeOuterClass.Replica;
import p4.v1.P4RuntimeOuterClass.Update;

/** Multicast groups to P4Runtime's messages and back (P4Runtime 1.4, 9.5.1). */
final class GroupMessages {

    /** All groups of a node. */
    static final Entity ALL = entity(MulticastGroupEntry.getDefaultInstance());

    /** No port of a switch. */
    private static final int NOWHERE = 0x1ff;

    private GroupMessages() {}

    static Update update(Operation operation, MulticastGroup group) {
        return Update.newBuilder()
                .setType(
                        switch (operation) {
                            case INSERT -> Update.Type.INSERT;
                            case MODIFY -> Update.Type.MODIFY;
                            case DELETE -> Update.Type.DELETE;
                        })
                .setEntity(entity(message(group)))
                .build();
    }

    @SuppressWarnings("deprecation") // the number of a port: servers from before P4Runtime 1.4 know nothing else
    private static MulticastGroupEntry message(MulticastGroup group) {
        MulticastGroupEntry.Builder message = MulticastGroupEntry.newBuilder().setMulticastGroupId(group.id());
        IntStream.rangeClosed(1, group.copies())
                .forEach(instance -> message.addReplicas(
                        Replica.newBuilder().setEgressPort(group.port()).setInstance(instance)));
        return message.build();
    }

    private static Entity entity(MulticastGroupEntry group) {
        return Entity.newBuilder()
                .setPacketReplicationEngineEntry(
                        PacketReplicationEngineEntry.newBuilder().setMulticastGroupEntry(group))
                .build();
    }

    /** A group of other copies than ours reads as one of ours that is not as wanted. */
    @SuppressWarnings("deprecation")
    static Optional<Stored> decode(Entity entity) {
        MulticastGroupEntry group = entity.getPacketReplicationEngineEntry().getMulticastGroupEntry();
        if (group.getMulticastGroupId() == 0 || group.getReplicasCount() == 0) {
            return Optional.empty();
        }
        int port = Math.min(Math.max(1, group.getReplicas(0).getEgressPort()), NOWHERE);
        MulticastGroup read = new MulticastGroup(group.getMulticastGroupId(), port, group.getReplicasCount());
        boolean ours = group.getReplicasList().containsAll(message(read).getReplicasList());
        return Optional.of(
                new Stored(ours ? read : new MulticastGroup(read.id(), NOWHERE, read.copies()), Optional.empty()));
    }
}
