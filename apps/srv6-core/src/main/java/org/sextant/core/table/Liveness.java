// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import java.util.OptionalInt;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.table.EntryTypes.EntryType;

/**
 * The node monitors one of its segment lists (RFC 9256, 9.3): it sends probes along another one that takes the same
 * path and returns (STAMP in loopback: RFC 8762, RFC 9503). While these do not arrive, it encapsulates with the backup
 * in all entries that refer to the list.
 *
 * @param sidList which is watched, unsigned
 * @param probe the list that probes travel: a member for each of the watched list's, in the same order
 * @param intervalMicros between two probes of a member, 1 or more
 * @param multiplier so many probes of a member in a row that do not arrive make the list silent, 1 to 255
 * @param holdDownMillis for how long probes have to come back without a gap before the list is used again, unsigned
 * @param backup the list in its place; 0 if there is none
 */
public record Liveness(int sidList, int probe, int intervalMicros, int multiplier, int holdDownMillis, int backup)
        implements Entry {
    /** As P4Info spells it. */
    public static final String TABLE = Tables.LIVENESS.name();

    public static final String ACTION = Actions.WATCH.name();

    static final EntryType TYPE = new EntryType(List.of(Tables.LIVENESS), Liveness::read, Matched.Id::parse);

    public Liveness {
        Range.require("interval", Integer.toUnsignedLong(intervalMicros), 1, 0xffffffffL);
        Range.require("multiplier", multiplier, 1, 255);
        if (probe == sidList || backup == sidList) {
            throw new IllegalArgumentException("sid_list " + Integer.toUnsignedString(sidList) + " is its own "
                    + (probe == sidList ? "probe" : "backup"));
        }
        if (backup == probe) {
            throw new IllegalArgumentException(
                    "backup " + Integer.toUnsignedString(backup) + " is the list of the probes, which comes back");
        }
    }

    @Override
    public Key key() {
        return new Key(TABLE, new Matched.Id(sidList));
    }

    /**
     * Behind the lists that it names, and before entries that steer packets into the monitored one: no packet takes
     * that unmonitored. It is removed after them, too.
     */
    @Override
    public Stage stage() {
        return Stage.BEHAVIORS;
    }

    @Override
    public TableEntry row() {
        return RowBuilder.in(Tables.LIVENESS)
                .exact(sidList)
                .does(
                        Actions.WATCH,
                        Values.number(probe),
                        Values.number(intervalMicros),
                        Values.number(multiplier),
                        Values.number(holdDownMillis),
                        Values.number(backup));
    }

    private static Liveness read(RowReader row) {
        CallReader call = row.call();
        return new Liveness(row.exact(), call.number(), call.number(), call.number(), call.number(), call.number());
    }

    /** The list in place of a silent one, if there is one. */
    public OptionalInt instead() {
        return backup == 0 ? OptionalInt.empty() : OptionalInt.of(backup);
    }

    @Override
    public String actionText() {
        return "watch probe " + Integer.toUnsignedString(probe) + " interval "
                + Integer.toUnsignedString(intervalMicros) + " multiplier " + multiplier + " hold_down "
                + Integer.toUnsignedString(holdDownMillis) + " backup " + Integer.toUnsignedString(backup);
    }
}
