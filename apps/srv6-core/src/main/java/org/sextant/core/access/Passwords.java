// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.access;

import java.util.Optional;
import java.util.Set;

/** Port: the host's users that may log in by name and password. */
public interface Passwords {
    /**
     * The roles of the user with this name and password; empty if there is none. A refusal takes as long for an unknown
     * name as for a known one.
     *
     * @throws TooBusyException if too many others are waiting for the same
     */
    Optional<Set<Role>> check(String name, String password);

    /** Changes whenever a result of {@link #check} may change. */
    long version();

    /** Checking a password takes memory and time on purpose, so only so many are checked at once. */
    final class TooBusyException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public TooBusyException() {
            super("too many log in at once; come back in a few seconds");
        }
    }
}
