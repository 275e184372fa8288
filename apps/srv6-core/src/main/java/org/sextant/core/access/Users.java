// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.access;

import java.util.Set;
import java.util.SortedMap;

/**
 * Port: users that the controller itself stores. A host with an external user directory offers {@link Passwords} only.
 */
public interface Users extends Passwords {
    /** The roles of each user, by name. */
    SortedMap<String, Set<Role>> all();

    /** @throws org.sextant.core.ProblemException if there is one of this name, or name or password are not valid */
    void add(String name, Role role, String password);

    /** @throws org.sextant.core.ProblemException if there is none of this name, or the password is not valid */
    void change(String name, String password);

    /** @throws org.sextant.core.ProblemException if there is none of this name, or it is the last administrator */
    void remove(String name);
}
