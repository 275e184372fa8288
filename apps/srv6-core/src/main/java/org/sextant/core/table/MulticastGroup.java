// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

/**
 * Copies that a switch makes of a packet whose multicast group a program sets. P4Runtime writes it as state of the packet
 * replication engine (P4Runtime 1.4, 9.5.1), not as a row; a host offers it as if it were the table {@link #TABLE} with the
 * action {@link #ACTION}.
 *
 * @param id 1 or more
 * @param port out of which all copies go, before the program processes them again
 * @param copies their number; the instances 1, 2 and so on distinguish them
 */
public record MulticastGroup(int id, int port, int copies) implements Entry {
    public static final String TABLE = "multicast_group";
    public static final String ACTION = "copies";

    public MulticastGroup {
        Range.require("group", id, 1, 0xffff);
        Range.require("port", port, 1, 0x1ff);
        Range.require("copies", copies, 1, 0xffff);
    }

    @Override
    public Key key() {
        return new Key(TABLE, "id " + id);
    }

    @Override
    public Stage stage() {
        return Stage.ADJACENCY;
    }

    @Override
    public TableEntry row() {
        throw new MalformedEntryException(
                TABLE, "is not a table; its entries are written to the packet replication engine");
    }

    @Override
    public String actionText() {
        return "copies " + copies + " port " + port;
    }
}
