// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.sextant.core.port.Capabilities;
import org.sextant.core.table.MulticastGroup;
import p4.config.v1.P4InfoOuterClass.Action;
import p4.config.v1.P4InfoOuterClass.ActionRef;
import p4.config.v1.P4InfoOuterClass.ControllerPacketMetadata;
import p4.config.v1.P4InfoOuterClass.Counter;
import p4.config.v1.P4InfoOuterClass.P4Info;
import p4.config.v1.P4InfoOuterClass.Table;

/** A node's P4Info by id and by alias; every id that is sent comes from here. */
final class PipelineIndex {
    private final Map<String, Table> tablesByAlias = new TreeMap<>();
    private final Map<Integer, Table> tablesById = new HashMap<>();
    private final Map<String, Action> actionsByAlias = new HashMap<>();
    private final Map<Integer, Action> actionsById = new HashMap<>();
    private final Map<String, ControllerPacketMetadata> packets = new HashMap<>();
    private final Set<Integer> countedTables = new TreeSet<>();
    private final Map<String, Counter> counterArrays = new HashMap<>();
    private final Capabilities capabilities;
    private final boolean replicates;

    /** @param replicates whether the node has a packet replication engine; P4Info does not say so */
    PipelineIndex(P4Info info, boolean replicates) {
        this.replicates = replicates;
        info.getTablesList().forEach(table -> {
            tablesByAlias.put(table.getPreamble().getAlias(), table);
            tablesById.put(table.getPreamble().getId(), table);
        });
        info.getActionsList().forEach(action -> {
            actionsByAlias.put(action.getPreamble().getAlias(), action);
            actionsById.put(action.getPreamble().getId(), action);
        });
        info.getControllerPacketMetadataList()
                .forEach(packet -> packets.put(packet.getPreamble().getName(), packet));
        info.getDirectCountersList().forEach(counter -> countedTables.add(counter.getDirectTableId()));
        info.getCountersList()
                .forEach(array -> counterArrays.put(array.getPreamble().getAlias(), array));
        capabilities = replicates ? offered().with(MulticastGroup.TABLE, MulticastGroup.ACTION) : offered();
    }

    boolean replicates() {
        return replicates;
    }

    Iterable<Table> tables() {
        return tablesByAlias.values();
    }

    Optional<Table> table(String alias) {
        return Optional.ofNullable(tablesByAlias.get(alias));
    }

    Optional<Table> table(int id) {
        return Optional.ofNullable(tablesById.get(id));
    }

    /** The action, if the table has it. */
    Optional<Action> action(Table table, String alias) {
        return Optional.ofNullable(actionsByAlias.get(alias)).filter(action -> refers(table, action));
    }

    Optional<Action> action(int id) {
        return Optional.ofNullable(actionsById.get(id));
    }

    /** An array of counters that belong to no row. A node of another release may have fewer cells in it. */
    Optional<Counter> counterArray(String alias) {
        return Optional.ofNullable(counterArrays.get(alias));
    }

    boolean counted(Table table) {
        return countedTables.contains(table.getPreamble().getId());
    }

    Optional<ControllerPacketMetadata> packet(String name) {
        return Optional.ofNullable(packets.get(name));
    }

    /** Capabilities for compilers; default-only actions such as NoAction are not something a row can have. */
    Capabilities capabilities() {
        return capabilities;
    }

    private Capabilities offered() {
        Map<String, Set<String>> actions = new TreeMap<>();
        Map<String, Long> sizes = new TreeMap<>();
        tablesByAlias.forEach((alias, table) -> {
            Set<String> offered = new TreeSet<>();
            for (ActionRef ref : table.getActionRefsList()) {
                if (ref.getScope() != ActionRef.Scope.DEFAULT_ONLY) {
                    action(ref.getId())
                            .ifPresent(
                                    action -> offered.add(action.getPreamble().getAlias()));
                }
            }
            actions.put(alias, offered);
            sizes.put(alias, table.getSize());
        });
        return new Capabilities(actions, sizes);
    }

    private static boolean refers(Table table, Action action) {
        return table.getActionRefsList().stream()
                .anyMatch(ref -> ref.getId() == action.getPreamble().getId());
    }
}
