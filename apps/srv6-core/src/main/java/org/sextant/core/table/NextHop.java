// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.table.EntryTypes.EntryType;

/** An adjacency: the port to leave by and the frame's MAC addresses. */
public record NextHop(int id, int port, MacAddress source, MacAddress destination) implements Entry {
    public static final String TABLE = Tables.NEXT_HOP.name();

    static final EntryType TYPE = new EntryType(List.of(Tables.NEXT_HOP), NextHop::read, Matched.Id::parse);

    public NextHop {
        Range.nextHop(id);
        Range.port(port);
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

    @Override
    public Optional<Integer> adjacency() {
        return Optional.of(id);
    }

    /** Frames by both go to the same end; their source may differ. */
    @Override
    public boolean leadsAs(Entry other) {
        return other instanceof NextHop hop && port == hop.port && destination.equals(hop.destination);
    }

    @Override
    public TableEntry row() {
        return RowBuilder.in(Tables.NEXT_HOP)
                .exact(id)
                .does(Actions.FORWARD, Values.number(port), Values.number(source), Values.number(destination));
    }

    private static NextHop read(RowReader row) {
        CallReader call = row.call();
        return new NextHop(row.exact(), call.number(), call.mac(), call.mac());
    }

    @Override
    public String actionText() {
        return "forward port " + port + " " + source + " to " + destination;
    }
}
