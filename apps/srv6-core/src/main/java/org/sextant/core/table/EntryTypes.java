// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.sextant.contract.Table;

/**
 * The tables with entries of intents. Everything else about an entry stands in its own file; a test checks that all
 * tables of the contract are covered here.
 */
final class EntryTypes {

    /**
     * The decoding of entries from rows and texts.
     *
     * @param tables that have rows of them; one per address family, or one
     * @param read from a row that follows the contract
     * @param match parses the text of a match
     */
    record EntryType(List<Table> tables, Function<RowReader, Entry> read, Function<String, Object> match) {}

    private static final Map<String, EntryType> BY_TABLE = byTable(List.of(
            MySid.TYPE,
            Steering.TYPE,
            SidList.TYPE,
            EncapSource.TYPE,
            Route.TYPE,
            NextHop.TYPE,
            Punt.TYPE,
            Flow.TYPE,
            Copy.TYPE,
            DedupFlow.TYPE,
            GtpTunnel.TYPE,
            GtpRule.TYPE,
            Ue.TYPE,
            Epoch.TYPE,
            FirewallRule.TYPE,
            EdgePort.TYPE,
            EdgeSid.TYPE,
            EdgeSource.TYPE,
            EdgePeer.TYPE,
            Standby.TYPE,
            Liveness.TYPE,
            PortRestoration.TYPE,
            FlowSteering.TYPE));

    private EntryTypes() {}

    private static Map<String, EntryType> byTable(List<EntryType> types) {
        Map<String, EntryType> byTable = new HashMap<>();
        types.forEach(type -> type.tables().forEach(table -> byTable.put(table.name(), type)));
        return Map.copyOf(byTable);
    }

    static Optional<EntryType> of(String table) {
        return Optional.ofNullable(BY_TABLE.get(table));
    }
}
