// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.port;

/**
 * The store did not answer. The result of a pending write is unknown until it answers again: all of it is stored, or
 * none.
 */
public class StoreUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message the fault, and its remedy */
    public StoreUnavailableException(String message) {
        super(message);
    }
}
