// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.table;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.onosproject.net.pi.model.PiActionId;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiPipelineModel;
import org.onosproject.net.pi.model.PiTableId;
import org.onosproject.net.pi.model.PiTableModel;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.port.Capabilities;
import org.sextant.core.table.MulticastGroup;

/**
 * The tables and actions of a pipeline by the names of the contract. ONOS knows them by P4's full names
 * ({@code ingress.my_sid.un}), the contract by P4Info's aliases, which are the last parts of these.
 */
public final class PipelineNames {
    private final Map<String, PiTableId> tables = new HashMap<>();
    private final Map<String, PiActionId> actions = new HashMap<>();
    private final Capabilities capabilities;

    public PipelineNames(PiPipeconf pipeconf) {
        PiPipelineModel model = pipeconf.pipelineModel();
        Map<String, Set<String>> offered = new TreeMap<>();
        Map<String, Long> sizes = new TreeMap<>();
        for (PiTableModel table : model.tables()) {
            String name = last(table.id().id());
            tables.put(name, table.id());
            sizes.put(name, table.maxSize());
            Set<String> names = new TreeSet<>();
            table.actions().forEach(action -> {
                actions.put(last(action.id().id()), action.id());
                names.add(last(action.id().id()));
            });
            // Default-only actions, such as NoAction, are not something a row can have.
            names.retainAll(Tables.byName(name).stream()
                    .flatMap(known -> known.actions().stream())
                    .map(org.sextant.contract.Action::name)
                    .toList());
            offered.put(name, names);
        }
        Capabilities inTables = new Capabilities(offered, sizes);
        capabilities = replicates(pipeconf) ? inTables.with(MulticastGroup.TABLE, MulticastGroup.ACTION) : inTables;
    }

    /** A node that runs the program itself is a switch, and those replicate packets; an agent has nothing of the kind. */
    public static boolean replicates(PiPipeconf pipeconf) {
        return pipeconf.extension(PiPipeconf.ExtensionType.BMV2_JSON).isPresent();
    }

    private static String last(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    Optional<PiTableId> table(String alias) {
        return Optional.ofNullable(tables.get(alias));
    }

    /** The action, if the table offers it. */
    Optional<PiActionId> action(String table, String alias) {
        return Optional.ofNullable(actions.get(alias)).filter(id -> capabilities.offers(table, alias));
    }

    /** The contract's name of a table or action; empty for those that are not the contract's. */
    static Optional<String> table(PiTableId id) {
        return Optional.of(last(id.id())).filter(name -> Tables.byName(name).isPresent());
    }

    static Optional<String> action(PiActionId id) {
        return Optional.of(last(id.id())).filter(name -> Actions.byName(name).isPresent());
    }

    public Capabilities capabilities() {
        return capabilities;
    }
}
