// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.access;

/** Port: receives failed logins at an entrance of the host's own, such as its shell. */
@FunctionalInterface
public interface FailedLogins {
    /**
     * A login was refused.
     *
     * @param user the claimed name
     * @param address the source; "" if the host does not report it
     * @param status as by HTTP: 401 for a wrong password, 403 for a user without the right to enter, 429 for too many
     *     attempts
     */
    void failed(String user, String address, int status);
}
