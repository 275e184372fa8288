// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

/** Nobody is let in, and why. */
public final class LoginRefused extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final long retrySeconds;

    private LoginRefused(int status, long retrySeconds, String message) {
        super(message);
        this.status = status;
        this.retrySeconds = retrySeconds;
    }

    /** What was shown opens nothing. */
    static LoginRefused unknown(String message) {
        return new LoginRefused(401, 0, message);
    }

    /** Too many failed before. */
    static LoginRefused tooMany(long seconds) {
        return new LoginRefused(
                429,
                seconds,
                "too many logins failed; try again in " + seconds + (seconds == 1 ? " second" : " seconds"));
    }

    /** Who it is cannot be found out now. */
    static LoginRefused unavailable(String message) {
        return new LoginRefused(503, 5, message);
    }

    public int status() {
        return status;
    }

    /** When to come back; 0 if that does not help. */
    public long retrySeconds() {
        return retrySeconds;
    }
}
