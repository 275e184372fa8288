// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.access;

/** Port: who is told of logins that failed at a door of the host's own, such as its shell. */
@FunctionalInterface
public interface FailedLogins {
    /**
     * Somebody was not let in.
     *
     * @param user whom they claimed to be
     * @param address where from; "" if the door does not say
     * @param status as by HTTP: 401 for a wrong password, 403 for a user who may not enter, 429 for too many before
     */
    void failed(String user, String address, int status);
}
