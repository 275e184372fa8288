// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import javax.annotation.Priority;
import javax.ws.rs.ForbiddenException;
import javax.ws.rs.Priorities;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerRequestFilter;
import javax.ws.rs.container.ResourceInfo;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.SecurityContext;
import org.sextant.core.access.Role;

/** Lets a request pass if its user has the role that {@link Permissions} wants for it, and names that role if not. */
@Priority(Priorities.AUTHORIZATION)
public final class RoleCheck implements ContainerRequestFilter {
    private final Permissions permissions;

    @Context
    private ResourceInfo resource;

    @SuppressWarnings("NullAway.Init") // Jersey sets the field
    public RoleCheck(Permissions permissions) {
        this.permissions = permissions;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        String path = request.getUriInfo().getPath();
        Role needed = permissions.needed(request.getMethod(), path, resource.getResourceMethod());
        Set<Role> roles = roles(request.getSecurityContext());
        if (!needed.coveredBy(roles)) {
            throw new ForbiddenException(
                    refusal(request.getMethod() + " of " + Permissions.first(path), needed, roles));
        }
    }

    /** The roles of the caller. */
    public static Set<Role> roles(SecurityContext security) {
        return Arrays.stream(Role.values())
                .filter(role -> security.isUserInRole(role.word()))
                .collect(Collectors.toSet());
    }

    private static String refusal(String what, Role needed, Set<Role> roles) {
        return what + " needs the role " + needed.word() + "; " + has(roles);
    }

    /** The end of a refusal: the roles of the user. */
    public static String has(Set<Role> roles) {
        String has = roles.isEmpty()
                ? "no role of this controller"
                : Caller.greatest(roles).stream().sorted().map(Role::word).collect(Collectors.joining(", "));
        return "this user has " + has;
    }
}
