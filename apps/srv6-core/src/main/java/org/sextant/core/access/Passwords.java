// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.access;

import java.util.Optional;
import java.util.Set;

/** Port: who may log in by name and password, as the host has it. */
public interface Passwords {
    /**
     * The roles of the user of this name who has this password; empty if that is nobody. A name that nobody has takes as long
     * to refuse as one that somebody has.
     *
     * @throws TooBusyException if too many others are waiting for the same
     */
    Optional<Set<Role>> check(String name, String password);

    /** Another number whenever {@link #check} may answer otherwise than before. */
    long version();

    /** Checking a password takes memory and time on purpose, so only so many are checked at once. */
    final class TooBusyException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public TooBusyException() {
            super("too many log in at once; come back in a few seconds");
        }
    }
}
