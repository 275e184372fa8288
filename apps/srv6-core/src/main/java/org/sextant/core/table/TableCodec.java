// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import org.sextant.core.Reason;

/**
 * Entries to rows of the contract's tables and back. For every entry {@code decode(encode(entry))} is the same entry, for
 * every row that {@code decode} takes, {@code encode} gives the same row.
 */
public final class TableCodec {
    private TableCodec() {}

    /** @throws MalformedEntryException if a value does not fit the contract, such as a segment list that is too long */
    public static TableEntry encode(Entry entry) {
        return ContractCheck.check(entry.row());
    }

    /** @throws MalformedEntryException if the row does not follow the contract */
    public static Entry decode(TableEntry row) {
        ContractCheck.check(row);
        EntryTypes.EntryType type = EntryTypes.of(row.table())
                .orElseThrow(() -> new MalformedEntryException(row.table(), "no intent has rows of it"));
        try {
            return type.read().apply(new RowReader(row));
        } catch (MalformedEntryException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new MalformedEntryException(row.table(), Reason.of(e));
        }
    }
}
