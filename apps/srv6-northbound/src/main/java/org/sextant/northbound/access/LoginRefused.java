// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

/** A refused login, with the reason. */
public final class LoginRefused extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final long retrySeconds;
    private final String user;

    private LoginRefused(int status, long retrySeconds, String user, String message) {
        super(message);
        this.user = user;
        this.status = status;
        this.retrySeconds = retrySeconds;
    }

    /** The credentials are not valid. */
    static LoginRefused unknown(String message) {
        return new LoginRefused(401, 0, "", message);
    }

    /** The identity is known, and has no role here. */
    static LoginRefused forbidden(String user, String message) {
        return new LoginRefused(403, 0, user, message);
    }

    /** Too many failed before. */
    static LoginRefused tooMany(long seconds) {
        return new LoginRefused(
                429,
                seconds,
                "",
                "too many logins failed; try again in " + seconds + (seconds == 1 ? " second" : " seconds"));
    }

    /** The identity cannot be determined now. */
    static LoginRefused unavailable(String message) {
        return new LoginRefused(503, 5, "", message);
    }

    /** The name of the user, if it is known; else "". */
    public String user() {
        return user;
    }

    public int status() {
        return status;
    }

    /** When to come back; 0 if that does not help. */
    public long retrySeconds() {
        return retrySeconds;
    }
}
