// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.provision;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.core.port.Capabilities;
import org.sextant.core.table.Entry;
import org.sextant.core.table.NextHop;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Standby;

/** The protection of one node against failures next to it. */
public record NodeRepairs(String node, Repairs repairs) {
    private static final int MAIN = 0;

    /**
     * Its entries: standby routes, and the lists that they push. Without {@code capabilities} the node is taken to
     * offer everything.
     */
    List<Entry> entries(Optional<Capabilities> capabilities) {
        Offer offer = new Offer(capabilities);
        List<Entry> entries = new ArrayList<>();
        if (offer.has(NextHop.TABLE, "forward") && offer.has(Standby.TABLE, "repair")) {
            repairs.lists().stream().filter(offer::pushes).forEach(entries::add);
            repairs.forEach((prefix, list) -> {
                if (offer.pushes(list)) {
                    entries.add(new Standby(MAIN, prefix, list.id()));
                }
            });
        }
        return entries;
    }

    private record Offer(Optional<Capabilities> capabilities) {

        boolean has(String table, String action) {
            return capabilities.map(offered -> offered.offers(table, action)).orElse(true);
        }

        boolean pushes(SidList list) {
            return has(SidList.TABLE, list.members().get(0).action());
        }
    }
}
