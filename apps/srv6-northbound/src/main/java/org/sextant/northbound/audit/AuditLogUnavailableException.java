// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

/** The trail cannot be written: no change is allowed without one. */
public final class AuditLogUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    AuditLogUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }

    AuditLogUnavailableException(String message) {
        super(message);
    }
}
