// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.onosproject.net.DeviceId;
import org.onosproject.net.pi.model.PiTableId;
import org.onosproject.net.pi.runtime.PiCounterCellData;
import org.onosproject.net.pi.runtime.PiEntity;
import org.onosproject.net.pi.runtime.PiEntityType;
import org.onosproject.net.pi.runtime.PiHandle;
import org.onosproject.net.pi.runtime.PiMulticastGroupEntry;
import org.onosproject.net.pi.runtime.PiMulticastGroupEntryHandle;
import org.onosproject.net.pi.runtime.PiTableEntry;
import org.onosproject.p4runtime.api.P4RuntimeClient;
import org.onosproject.p4runtime.api.P4RuntimeReadClient.ReadResponse;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.EntityUpdateResponse;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.EntityUpdateStatus;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.UpdateType;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.WriteRequest;

/** A node behind ONOS's P4Runtime client, as strict as P4Runtime. Methods that no test needs throw. */
final class FakeClient {
    private final DeviceId device;
    private final Map<PiHandle, PiEntity> rows = new LinkedHashMap<>();
    /** The node's error about an entry, with its code in front; empty if there is none. */
    volatile Function<PiTableEntry, Optional<String>> fault = entry -> Optional.empty();

    volatile boolean silent;

    /** Runs when the node has answered, before the answer is looked at. */
    volatile Runnable afterRead = () -> {};

    FakeClient(DeviceId device) {
        this.device = device;
    }

    P4RuntimeClient client() {
        return proxy(P4RuntimeClient.class, (name, arguments) -> switch (name) {
            case "write" -> write();
            case "read" -> read();
            default -> throw new UnsupportedOperationException(name);
        });
    }

    synchronized void erase(PiTableId table) {
        rows.values()
                .removeIf(row ->
                        row instanceof PiTableEntry entry && entry.table().equals(table));
    }

    synchronized void plant(PiTableEntry entry) {
        rows.put(entry.handle(device), entry);
    }

    synchronized List<PiTableEntry> rows() {
        return only(PiTableEntry.class, rows.values());
    }

    private static <E extends PiEntity> List<E> only(Class<E> type, Collection<PiEntity> all) {
        return all.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private interface Answer {
        Object to(String name, Object[] arguments);
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> answer.to(method.getName(), arguments)));
    }

    // Writing

    private record Response(
            PiHandle handle, PiEntity entity, UpdateType updateType, EntityUpdateStatus status, String explanation)
            implements EntityUpdateResponse {
        @Override
        public PiEntityType entityType() {
            return handle.entityType();
        }

        @Override
        public boolean isSuccess() {
            return status == EntityUpdateStatus.OK;
        }

        @Override
        public Throwable throwable() {
            return null;
        }
    }

    private WriteRequest write() {
        List<Response> responses = new ArrayList<>();
        WriteRequest[] self = new WriteRequest[1];
        self[0] = proxy(WriteRequest.class, (name, arguments) -> switch (name) {
            case "entity" -> {
                responses.add(carryOut((PiEntity) arguments[0], (UpdateType) arguments[1]));
                yield self[0];
            }
            case "delete" -> {
                responses.add(delete((PiHandle) arguments[0]));
                yield self[0];
            }
            case "submitSync" ->
                new org.onosproject.p4runtime.api.P4RuntimeWriteClient.WriteResponse() {
                    @Override
                    public boolean isSuccess() {
                        return failed().isEmpty();
                    }

                    @Override
                    public Collection<EntityUpdateResponse> all() {
                        return List.copyOf(responses);
                    }

                    @Override
                    public Collection<EntityUpdateResponse> success() {
                        return all().stream()
                                .filter(EntityUpdateResponse::isSuccess)
                                .toList();
                    }

                    @Override
                    public Collection<EntityUpdateResponse> failed() {
                        return all().stream().filter(one -> !one.isSuccess()).toList();
                    }

                    @Override
                    public Collection<EntityUpdateResponse> status(EntityUpdateStatus status) {
                        return all().stream()
                                .filter(one -> one.status() == status)
                                .toList();
                    }
                };
            default -> throw new UnsupportedOperationException(name);
        });
        return self[0];
    }

    private synchronized Response carryOut(PiEntity entry, UpdateType type) {
        PiHandle handle = entry.handle(device);
        if (silent) {
            return new Response(handle, entry, type, EntityUpdateStatus.PENDING, null);
        }
        boolean always = entry instanceof PiTableEntry row && row.isDefaultAction();
        boolean there = rows.containsKey(handle) || always;
        Optional<String> wrong = entry instanceof PiTableEntry row ? fault.apply(row) : Optional.empty();
        if (wrong.isPresent()) {
            return new Response(handle, entry, type, EntityUpdateStatus.OTHER_ERROR, wrong.get() + " (:0)");
        }
        if (type == UpdateType.INSERT && there) {
            return new Response(handle, entry, type, EntityUpdateStatus.ALREADY_EXIST, "the row is there (:0)");
        }
        if (type == UpdateType.MODIFY && !there) {
            return new Response(handle, entry, type, EntityUpdateStatus.NOT_FOUND, "no such row (:0)");
        }
        rows.put(handle, entry);
        return new Response(handle, entry, type, EntityUpdateStatus.OK, null);
    }

    private synchronized Response delete(PiHandle handle) {
        boolean there = rows.remove(handle) != null;
        return new Response(
                handle,
                null,
                UpdateType.DELETE,
                there ? EntityUpdateStatus.OK : EntityUpdateStatus.NOT_FOUND,
                "no such row (:0)");
    }

    // Reading

    private org.onosproject.p4runtime.api.P4RuntimeReadClient.ReadRequest read() {
        Set<PiTableId> tables = new HashSet<>();
        Set<PiTableId> defaults = new HashSet<>();
        AtomicBoolean groups = new AtomicBoolean();
        var self = new org.onosproject.p4runtime.api.P4RuntimeReadClient.ReadRequest[1];
        self[0] = proxy(
                org.onosproject.p4runtime.api.P4RuntimeReadClient.ReadRequest.class,
                (name, arguments) -> switch (name) {
                    case "tableEntries" -> {
                        tables.add((PiTableId) arguments[0]);
                        yield self[0];
                    }
                    case "defaultTableEntry" -> {
                        defaults.add((PiTableId) arguments[0]);
                        yield self[0];
                    }
                    case "handle" -> {
                        // As P4Runtime has it: number 0 is all of them.
                        groups.set(((PiMulticastGroupEntryHandle) arguments[0]).groupId() == 0);
                        yield self[0];
                    }
                    case "submit" -> CompletableFuture.completedFuture(response(tables, defaults, groups.get()));
                    case "submitSync" -> {
                        ReadResponse answer = response(tables, defaults, groups.get());
                        afterRead.run();
                        yield answer;
                    }
                    default -> throw new UnsupportedOperationException(name);
                });
        return self[0];
    }

    private synchronized ReadResponse response(Set<PiTableId> tables, Set<PiTableId> defaults, boolean groups) {
        List<PiEntity> found = new ArrayList<>();
        rows().stream()
                .filter(row -> (row.isDefaultAction() ? defaults : tables).contains(row.table()))
                .map(FakeClient::counted)
                .forEach(found::add);
        if (groups) {
            found.addAll(only(PiMulticastGroupEntry.class, rows.values()));
        }
        boolean answered = !silent;
        return new ReadResponse() {
            @Override
            public boolean isSuccess() {
                return answered;
            }

            @Override
            public Collection<PiEntity> all() {
                return List.copyOf(found);
            }

            @Override
            public <E extends PiEntity> Collection<E> all(Class<E> type) {
                return only(type, found);
            }

            @Override
            public String explanation() {
                return "DEADLINE_EXCEEDED";
            }

            @Override
            public Throwable throwable() {
                return null;
            }
        };
    }

    private static PiTableEntry counted(PiTableEntry row) {
        PiTableEntry.Builder copy = PiTableEntry.builder()
                .forTable(row.table())
                .withMatchKey(row.matchKey())
                .withCounterCellData(new PiCounterCellData(7, 700));
        row.priority().ifPresent(copy::withPriority);
        if (row.action() != null) {
            copy.withAction(row.action());
        }
        return copy.build();
    }
}
