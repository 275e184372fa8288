// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

/** The node's P4Info has no place for an entry. */
final class UnsupportedEntryException extends Exception {
    private static final long serialVersionUID = 1L;

    UnsupportedEntryException(String message) {
        super(message);
    }
}
