// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.port;

/** The store did not answer. Whether what was being written is stored is unknown until it answers again: all of it is, or none. */
public class StoreUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message what is the matter, and what to do about it */
    public StoreUnavailableException(String message) {
        super(message);
    }
}
