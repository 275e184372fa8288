// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.Objects;
import org.sextant.contract.Tables;
import org.sextant.core.ip.MacAddress;

/** An adjacency: the port to leave by and the frame's MAC addresses. */
public record NextHop(int id, int port, MacAddress source, MacAddress destination) implements Entry {
    public static final String TABLE = Tables.NEXT_HOP.name();

    public NextHop {
        Range.nextHop(id);
        Range.require("port", port, 1, 510);
        Objects.requireNonNull(source);
        Objects.requireNonNull(destination);
    }

    @Override
    public Key key() {
        return new Key(TABLE, new Matched.Id(id));
    }

    @Override
    public Stage stage() {
        return Stage.ADJACENCY;
    }

    /** Whether frames by both go to the same end; their source may differ. */
    public boolean leadsTo(NextHop other) {
        return port == other.port && destination.equals(other.destination);
    }
}
