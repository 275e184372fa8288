// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.annotation.security.RolesAllowed;
import org.sextant.core.access.Role;

/**
 * Which role a request needs; the one table of it. Every role may read, the role that an app names may change its
 * addresses, and addresses of no app are for administrators. Where that is not right (a POST that changes nothing, a
 * GET that returns secrets) the method says so by {@link RolesAllowed}: the least of the roles that it names.
 */
public final class Permissions {
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    private final Map<String, Role> changedBy;

    /** @param changedBy the role that may change an app, by the first word of its address */
    public Permissions(Map<String, Role> changedBy) {
        this.changedBy = new TreeMap<>(changedBy);
    }

    /**
     * The role that is needed.
     *
     * @param path relative to the application
     * @param method the method that would serve it
     */
    public Role needed(String httpMethod, String path, Method method) {
        RolesAllowed own = method.getAnnotation(RolesAllowed.class);
        if (own != null) {
            return least(own);
        }
        if (!READING.contains(httpMethod)) {
            return changing(path);
        }
        RolesAllowed all = method.getDeclaringClass().getAnnotation(RolesAllowed.class);
        return all == null ? Role.VIEWER : least(all);
    }

    /** The role that may change an app with this address. */
    public Role changing(String path) {
        return changedBy.getOrDefault(first(path), Role.ADMIN);
    }

    /** The first words of the addresses that these roles may change. */
    public List<String> changeable(Set<Role> roles) {
        return changedBy.entrySet().stream()
                .filter(app -> app.getValue().coveredBy(roles))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** A role that does not exist opens nothing. */
    private static Role least(RolesAllowed allowed) {
        return Arrays.stream(allowed.value())
                .flatMap(name -> Role.named(name).stream())
                .min(Comparator.comparingInt(Role::ordinal))
                .orElse(Role.ADMIN);
    }

    /** The first word of an address. */
    public static String first(String path) {
        String relative = path.startsWith("/") ? path.substring(1) : path;
        int slash = relative.indexOf('/');
        return slash < 0 ? relative : relative.substring(0, slash);
    }
}
