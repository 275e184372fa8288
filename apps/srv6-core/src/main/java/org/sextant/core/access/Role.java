// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.access;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The rights of a user. Every user reads; operator and security each change something else, and admin may do all. */
public enum Role {
    /** Reads, and requests dry runs. */
    VIEWER,
    /** Changes the forwarding of traffic: policies, flows, slices, sessions. */
    OPERATOR,
    /** Changes filters: firewalls, the edge. */
    SECURITY,
    /** Has the rights of all others, and changes the users and settings of the controller itself. */
    ADMIN;

    /** The name in user files and REST. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** True if this role includes the rights of the other one. */
    public boolean covers(Role needed) {
        return this == needed || this == ADMIN || needed == VIEWER;
    }

    /** This role and those that it covers. */
    public Set<Role> covered() {
        EnumSet<Role> covered = EnumSet.allOf(Role.class);
        covered.removeIf(role -> !covers(role));
        return covered;
    }

    /** True if one of the roles covers this one. */
    public boolean coveredBy(Collection<Role> roles) {
        return roles.stream().anyMatch(role -> role.covers(this));
    }

    /** The role of this name; empty if there is none, which is no role at all and never the least one. */
    public static Optional<Role> named(String word) {
        return Arrays.stream(values()).filter(role -> role.word().equals(word)).findFirst();
    }
}
