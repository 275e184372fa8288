// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

/** A row that the contract does not allow; the message names the table and the part. */
public class MalformedEntryException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String table;

    public MalformedEntryException(String table, String message) {
        super(table + ": " + message);
        this.table = table;
    }

    /** The given name of the row's table. */
    public String table() {
        return table;
    }
}
