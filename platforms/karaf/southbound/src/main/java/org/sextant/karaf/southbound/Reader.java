// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.port.DataPlane.Stored;
import org.sextant.core.table.Entry;
import org.sextant.core.table.MulticastGroup;
import p4.config.v1.P4InfoOuterClass.Table;
import p4.v1.P4RuntimeGrpc;
import p4.v1.P4RuntimeOuterClass.CounterData;
import p4.v1.P4RuntimeOuterClass.CounterEntry;
import p4.v1.P4RuntimeOuterClass.Entity;
import p4.v1.P4RuntimeOuterClass.Index;
import p4.v1.P4RuntimeOuterClass.ReadRequest;
import p4.v1.P4RuntimeOuterClass.TableEntry;

/** Reads all tables of a node with their counters, and its replication groups, in one request. */
record Reader(ManagedChannel channel, long deviceId, long deadlineMillis) {

    /** @throws StatusRuntimeException if the node does not answer in full */
    List<Stored> read(PipelineIndex pipeline) {
        return read(pipeline, pipeline.tables(), pipeline.replicates());
    }

    /**
     * Some tables, as far as the pipeline has them.
     *
     * @throws StatusRuntimeException if the node does not answer in full
     */
    List<Stored> read(PipelineIndex pipeline, Set<String> tables) {
        return read(
                pipeline,
                tables.stream()
                        .sorted()
                        .map(pipeline::table)
                        .flatMap(Optional::stream)
                        .toList(),
                pipeline.replicates() && tables.contains(MulticastGroup.TABLE));
    }

    /**
     * Some rows, as far as the pipeline can have them.
     *
     * @throws StatusRuntimeException if the node does not answer in full
     */
    List<Stored> rows(PipelineIndex pipeline, Collection<Entry> entries) {
        ReadRequest.Builder request = ReadRequest.newBuilder().setDeviceId(deviceId);
        for (Entry entry : entries) {
            pipeline.table(entry.key().table())
                    .flatMap(table -> alone(pipeline, table, entry))
                    .ifPresent(row -> request.addEntities(Entity.newBuilder().setTableEntry(row)));
        }
        return read(pipeline, request);
    }

    private static Optional<TableEntry> alone(PipelineIndex pipeline, Table table, Entry entry) {
        try {
            TableEntry.Builder row =
                    EntryMessages.encode(pipeline, entry).toBuilder().clearAction();
            return Optional.of(withCounts(pipeline, table, row).build());
        } catch (UnsupportedEntryException none) {
            return Optional.empty(); // the node cannot have it
        }
    }

    private List<Stored> read(PipelineIndex pipeline, Iterable<Table> tables, boolean groups) {
        ReadRequest.Builder request = ReadRequest.newBuilder().setDeviceId(deviceId);
        tables.forEach(table -> request.addEntities(Entity.newBuilder().setTableEntry(wildcard(pipeline, table))));
        if (groups) {
            request.addEntities(GroupMessages.ALL);
        }
        return read(pipeline, request);
    }

    private List<Stored> read(PipelineIndex pipeline, ReadRequest.Builder request) {
        List<Stored> rows = new ArrayList<>();
        if (request.getEntitiesCount() == 0) {
            return rows;
        }
        P4RuntimeGrpc.newBlockingStub(channel)
                .withDeadlineAfter(deadlineMillis, TimeUnit.MILLISECONDS)
                .read(request.build())
                .forEachRemaining(response -> response.getEntitiesList().stream()
                        .flatMap(entity -> decode(pipeline, entity).stream())
                        .forEach(rows::add));
        return rows;
    }

    private static Optional<Stored> decode(PipelineIndex pipeline, Entity entity) {
        return switch (entity.getEntityCase()) {
            case TABLE_ENTRY -> EntryMessages.decode(pipeline, entity.getTableEntry());
            case PACKET_REPLICATION_ENGINE_ENTRY -> GroupMessages.decode(entity);
            default -> Optional.empty();
        };
    }

    /**
     * Some cells of a counter array, none if the pipeline has no such array.
     *
     * @throws StatusRuntimeException if the node does not answer in full
     */
    Map<Integer, Counters> cells(PipelineIndex pipeline, String array, Set<Integer> indexes) {
        Map<Integer, Counters> cells = new TreeMap<>();
        pipeline.counterArray(array).ifPresent(held -> {
            ReadRequest.Builder request = ReadRequest.newBuilder().setDeviceId(deviceId);
            indexes.stream()
                    .filter(index -> index < held.getSize())
                    .forEach(index -> request.addEntities(Entity.newBuilder()
                            .setCounterEntry(CounterEntry.newBuilder()
                                    .setCounterId(held.getPreamble().getId())
                                    .setIndex(Index.newBuilder().setIndex(index)))));
            P4RuntimeGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(deadlineMillis, TimeUnit.MILLISECONDS)
                    .read(request.build())
                    .forEachRemaining(response -> response.getEntitiesList().stream()
                            .map(Entity::getCounterEntry)
                            .forEach(cell -> cells.put(
                                    (int) cell.getIndex().getIndex(),
                                    new Counters(
                                            cell.getData().getPacketCount(),
                                            cell.getData().getByteCount()))));
        });
        return cells;
    }

    /** A table without key fields has nothing but its default entry. */
    private static TableEntry wildcard(PipelineIndex pipeline, Table table) {
        TableEntry.Builder wildcard = TableEntry.newBuilder()
                .setTableId(table.getPreamble().getId())
                .setIsDefaultAction(table.getMatchFieldsCount() == 0);
        return withCounts(pipeline, table, wildcard).build();
    }

    /** Requests the counts of a row that a node only sends on request, as far as its table has them. */
    private static TableEntry.Builder withCounts(PipelineIndex pipeline, Table table, TableEntry.Builder asked) {
        if (pipeline.counted(table)) {
            asked.setCounterData(CounterData.getDefaultInstance());
        }
        if (table.getIdleTimeoutBehavior() != Table.IdleTimeoutBehavior.NO_TIMEOUT) {
            asked.setTimeSinceLastHit(TableEntry.IdleTimeout.getDefaultInstance());
        }
        return asked;
    }
}
