// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.trail;

/** The trail cannot be written: no change is allowed without one. */
public final class TrailUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TrailUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }

    TrailUnavailableException(String message) {
        super(message);
    }
}
