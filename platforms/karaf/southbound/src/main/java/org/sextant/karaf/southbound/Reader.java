// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.sextant.core.port.DataPlane.Stored;
import p4.config.v1.P4InfoOuterClass.Table;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** Reads all tables of a node with their counters in one request. */
record Reader(ManagedChannel channel, long deviceId, long deadlineMillis) {

    /** @throws StatusRuntimeException if the node does not answer in full */
    List<Stored> read(PipelineIndex pipeline) {
        ReadRequest.Builder request = ReadRequest.newBuilder().setDeviceId(deviceId);
        pipeline.tables()
                .forEach(table -> request.addEntities(Entity.newBuilder().setTableEntry(wildcard(pipeline, table))));
        List<Stored> rows = new ArrayList<>();
        P4RuntimeGrpc.newBlockingStub(channel)
                .withDeadlineAfter(deadlineMillis, TimeUnit.MILLISECONDS)
                .read(request.build())
                .forEachRemaining(response -> response.getEntitiesList().stream()
                        .filter(Entity::hasTableEntry)
                        .forEach(entity -> EntryMessages.decode(pipeline, entity.getTableEntry())
                                .ifPresent(rows::add)));
        return rows;
    }

    /** A table without key fields has nothing but its default entry. */
    private static TableEntry wildcard(PipelineIndex pipeline, Table table) {
        TableEntry.Builder wildcard = TableEntry.newBuilder()
                .setTableId(table.getPreamble().getId())
                .setIsDefaultAction(table.getMatchFieldsCount() == 0);
        if (pipeline.counted(table)) {
            wildcard.setCounterData(CounterData.getDefaultInstance());
        }
        return wildcard.build();
    }
}
