// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.sextant.contract.Actions;
import org.sextant.contract.Params;
import org.sextant.contract.Tables;
import p4.config.v1.P4InfoOuterClass.Table;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeGrpc.P4RuntimeBlockingStub;
import p4.v1.P4RuntimeOuterClass.Action;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.MulticastGroupEntry;
import p4.v1.P4RuntimeOuterClass.PacketReplicationEngineEntry;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.Replica;
import p4.v1.P4RuntimeOuterClass.TableAction;
import p4.v1.P4RuntimeOuterClass.TableEntry;
import p4.v1.P4RuntimeOuterClass.Uint128;
import p4.v1.P4RuntimeOuterClass.Update;
import p4.v1.P4RuntimeOuterClass.WriteRequest;

/**
 * What a switch needs once before it can copy packets (docs/reference/livelive.md), and no intent owns: an epoch, and
 * multicast groups of 1 to 15 copies. A switch that is started again has forgotten both. Whether it has, its epoch says;
 * so nothing is written to one that this controller merely connects to again, and a preparation that broke off is
 * repeated, as the epoch is written last.
 */
record Copying(ManagedChannel channel, long deviceId, Uint128 electionId, Deadlines deadlines) {
    private static final int MAX_COPIES = 15;

    /** Copies are looked up anew wherever they wait: any port that exists will do. */
    private static final int WAITING_PORT = 1;

    /**
     * @param nextEpoch asked only if the node has none
     * @throws StatusRuntimeException if the node refuses or does not answer
     */
    void prepare(PipelineIndex pipeline, IntSupplier nextEpoch) {
        pipeline.table(Tables.EPOCH.name()).ifPresent(epoch -> {
            if (!isSet(epoch)) {
                for (MulticastGroupEntry group : missingGroups()) {
                    write(
                            Update.Type.INSERT,
                            Entity.newBuilder()
                                    .setPacketReplicationEngineEntry(PacketReplicationEngineEntry.newBuilder()
                                            .setMulticastGroupEntry(group)));
                }
                write(Update.Type.MODIFY, Entity.newBuilder().setTableEntry(epoch(epoch, nextEpoch.getAsInt())));
            }
        });
    }

    private boolean isSet(Table epoch) {
        TableEntry wanted = TableEntry.newBuilder()
                .setTableId(epoch.getPreamble().getId())
                .setIsDefaultAction(true)
                .build();
        return read(Entity.newBuilder().setTableEntry(wanted)).stream()
                .anyMatch(entity ->
                        entity.getTableEntry().getAction().getAction().getActionId() == Actions.SET_EPOCH.id());
    }

    private List<MulticastGroupEntry> missingGroups() {
        List<Integer> present = read(Entity.newBuilder()
                        .setPacketReplicationEngineEntry(PacketReplicationEngineEntry.newBuilder()
                                .setMulticastGroupEntry(MulticastGroupEntry.getDefaultInstance())))
                .stream()
                .map(entity -> entity.getPacketReplicationEngineEntry()
                        .getMulticastGroupEntry()
                        .getMulticastGroupId())
                .toList();
        return IntStream.rangeClosed(1, MAX_COPIES)
                .filter(copies -> !present.contains(copies))
                .mapToObj(Copying::group)
                .toList();
    }

    /** The group that makes so many copies: its id is their number, and they are told apart by instances from 1 on. */
    @SuppressWarnings("deprecation") // the number of a port: servers from before P4Runtime 1.4 know nothing else
    private static MulticastGroupEntry group(int copies) {
        MulticastGroupEntry.Builder group = MulticastGroupEntry.newBuilder().setMulticastGroupId(copies);
        IntStream.rangeClosed(1, copies)
                .forEach(instance -> group.addReplicas(
                        Replica.newBuilder().setEgressPort(WAITING_PORT).setInstance(instance)));
        return group.build();
    }

    private static TableEntry epoch(Table table, int epoch) {
        return TableEntry.newBuilder()
                .setTableId(table.getPreamble().getId())
                .setIsDefaultAction(true)
                .setAction(TableAction.newBuilder()
                        .setAction(Action.newBuilder()
                                .setActionId(Actions.SET_EPOCH.id())
                                .addParams(Action.Param.newBuilder()
                                        .setParamId(Params.SET_EPOCH_EPOCH.id())
                                        .setValue(bytes(epoch)))))
                .build();
    }

    private static ByteString bytes(int value) {
        return Packets.Bytes.canonical(BigInteger.valueOf(value).toByteArray());
    }

    private List<Entity> read(Entity.Builder wanted) {
        List<Entity> found = new ArrayList<>();
        stub().read(ReadRequest.newBuilder()
                        .setDeviceId(deviceId)
                        .addEntities(wanted)
                        .build())
                .forEachRemaining(response -> found.addAll(response.getEntitiesList()));
        return found;
    }

    private void write(Update.Type type, Entity.Builder entity) {
        stub().write(WriteRequest.newBuilder()
                .setDeviceId(deviceId)
                .setElectionId(electionId)
                .addUpdates(Update.newBuilder().setType(type).setEntity(entity))
                .build());
    }

    private P4RuntimeBlockingStub stub() {
        return P4RuntimeGrpc.newBlockingStub(channel)
                .withDeadlineAfter(deadlines.configMillis(), TimeUnit.MILLISECONDS);
    }
}
