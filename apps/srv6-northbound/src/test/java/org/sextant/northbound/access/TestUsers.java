// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.sextant.core.access.Role;
import org.sextant.core.access.Users;

/** Users whose password is their name twice, with a count of the questions. */
class TestUsers implements Users {
    final SortedMap<String, Set<Role>> roles = new TreeMap<>(Map.of(
            "admin", Set.of(Role.ADMIN),
            "olga", Set.of(Role.OPERATOR),
            "sam", Set.of(Role.SECURITY),
            "viewer", Set.of(Role.VIEWER)));
    final AtomicInteger checks = new AtomicInteger();
    long version;

    @Override
    public Optional<Set<Role>> check(String name, String password) {
        checks.incrementAndGet();
        return password.equals(name + name) ? Optional.ofNullable(roles.get(name)) : Optional.empty();
    }

    @Override
    public long version() {
        return version;
    }

    @Override
    public SortedMap<String, Set<Role>> all() {
        return roles;
    }

    @Override
    public void add(String name, Role role, String password) {
        roles.put(name, Set.of(role));
        version++;
    }

    @Override
    public void change(String name, String password) {
        version++;
    }

    @Override
    public void remove(String name) {
        roles.remove(name);
        version++;
    }
}
