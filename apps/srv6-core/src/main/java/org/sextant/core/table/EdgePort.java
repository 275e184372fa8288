// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import java.util.Objects;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.table.EntryTypes.EntryType;

/** The role of a node's port (RFC 8754, 5.1; docs/reference/edge.md). A port without this row accepts all packets. */
public record EdgePort(int port, Role role) implements Entry {
    public static final String TABLE = Tables.EDGE_PORT.name();

    static final EntryType TYPE = new EntryType(List.of(Tables.EDGE_PORT), EdgePort::read, text -> text);

    /** The packets that a port accepts. */
    public sealed interface Role {}

    /**
     * No node of the domain is behind it: hosts there can neither reach SIDs nor spoof internal sources, except the
     * node's {@linkplain EdgePeer peers}.
     *
     * @param dropSrh true to drop packets with an SRH whatever their destination
     */
    public record External(boolean dropSrh) implements Role {}

    /**
     * A node of the domain is behind it.
     *
     * @param knownSources true if packets to SIDs must have a {@linkplain EdgeSource source of the domain}
     */
    public record Internal(boolean knownSources) implements Role {}

    public EdgePort {
        Range.port(port);
        Objects.requireNonNull(role);
    }

    @Override
    public Key key() {
        return new Key(TABLE, "in_port " + port);
    }

    /** Behind the sources and peers that it refers to, and before entries that send packets there. */
    @Override
    public Stage stage() {
        return Stage.LISTS;
    }

    /**
     * A port that becomes internal accepts packets of a link before the neighbor sends there; vice versa for one that
     * becomes external.
     */
    @Override
    public Change from(Entry before) {
        return before instanceof EdgePort port && strictness(role) < strictness(port.role)
                ? Change.WIDENS
                : Change.NARROWS;
    }

    /** The port with the lower value accepts all packets that the other accepts. */
    private static int strictness(Role role) {
        return role instanceof External external
                ? external.dropSrh() ? 3 : 2
                : ((Internal) role).knownSources() ? 1 : 0;
    }

    @Override
    public TableEntry row() {
        RowBuilder row = RowBuilder.in(Tables.EDGE_PORT).exact(port);
        return role instanceof External external
                ? row.does(Actions.EXTERNAL, Values.flag(external.dropSrh()))
                : row.does(Actions.INTERNAL, Values.flag(((Internal) role).knownSources()));
    }

    private static EdgePort read(RowReader row) {
        int port = row.exact();
        CallReader call = row.call();
        return new EdgePort(
                port, call.is(Actions.EXTERNAL) ? new External(call.number() == 1) : new Internal(call.number() == 1));
    }

    @Override
    public String actionText() {
        return role instanceof External external
                ? "external" + (external.dropSrh() ? " drop_srh" : "")
                : "internal" + (((Internal) role).knownSources() ? " known_sources" : "");
    }
}
