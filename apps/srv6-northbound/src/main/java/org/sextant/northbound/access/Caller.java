// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import java.security.AccessController;
import java.security.Principal;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.security.auth.Subject;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.core.SecurityContext;
import org.apache.karaf.shell.api.console.Session;
import org.jspecify.annotations.Nullable;
import org.sextant.core.access.Role;

/**
 * The author of a request or a command.
 *
 * @param name the user's
 * @param roles none of which covers another
 * @param how the credential by which they proved to be that
 * @param address where from; empty if the interface does not say
 */
public record Caller(String name, Set<Role> roles, How how, String address) implements Principal {
    /** The credential by which callers proved their identity. */
    public enum How {
        /** A password, by REST. */
        PASSWORD,
        /** A token of this controller. */
        TOKEN,
        /** A token of the issuer that the controller trusts (OpenID Connect). */
        OIDC,
        /** The shell, by SSH with a password or a key, or at the controller's console. */
        SSH;

        /** As answers and records write it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Caller {
        roles = greatest(roles);
    }

    /** Without those that others of them cover. */
    static Set<Role> greatest(Set<Role> roles) {
        return roles.stream()
                .filter(role -> roles.stream().noneMatch(other -> other != role && other.covers(role)))
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public String getName() {
        return name;
    }

    /** True if the caller has this role. */
    public boolean may(Role needed) {
        return needed.coveredBy(roles);
    }

    /** The caller of an accepted request; empty for one that no filter has checked. */
    public static Optional<Caller> of(HttpServletRequest request) {
        return Optional.ofNullable(request.getUserPrincipal())
                .map(user -> of(user, role -> request.isUserInRole(role.word()), address(request)));
    }

    /** The same, as resources see it. */
    public static Optional<Caller> of(SecurityContext security) {
        return Optional.ofNullable(security.getUserPrincipal())
                .map(user -> of(user, role -> security.isUserInRole(role.word()), ""));
    }

    /** A web container knows names and roles only. */
    private static Caller of(Principal user, Predicate<Role> has, String address) {
        return user instanceof Caller caller
                ? caller
                : new Caller(
                        user.getName(),
                        Arrays.stream(Role.values()).filter(has).collect(Collectors.toSet()),
                        How.PASSWORD,
                        address);
    }

    private static String address(HttpServletRequest request) {
        return Optional.ofNullable(request.getRemoteAddr()).orElse("");
    }

    /** The caller at a session of the shell. The console of the controller's own process is an administrator's. */
    public static Caller of(Session session) {
        return ofShell(session.get("USER"));
    }

    /** The same, by the name that the session has. */
    @SuppressWarnings("removal") // there is no other way to ask up to Java 17
    public static Caller ofShell(@Nullable Object user) {
        Subject subject = Subject.getSubject(AccessController.getContext());
        return new Caller(
                user == null ? "console" : user.toString(),
                subject == null ? Set.of(Role.ADMIN) : shellRoles(subject),
                How.SSH,
                subject == null ? "" : shellAddress(subject));
    }

    /** Both hosts give a role a principal of a class of this name. */
    private static Set<Role> shellRoles(Subject subject) {
        Set<Role> roles = EnumSet.noneOf(Role.class);
        for (Principal principal : subject.getPrincipals()) {
            if (principal.getClass().getSimpleName().equals("RolePrincipal")) {
                Role.named(principal.getName().toLowerCase(Locale.ROOT)).ifPresent(roles::add);
            }
        }
        return roles;
    }

    /** Karaf says it by a principal that is called ssh(/192.0.2.1:50222). */
    private static String shellAddress(Subject subject) {
        return subject.getPrincipals().stream()
                .filter(principal -> principal.getClass().getSimpleName().equals("ClientPrincipal"))
                .map(principal -> principal.getName().replaceAll("^ssh\\(|\\)$", ""))
                .map(Caller::withoutPort)
                .findFirst()
                .orElse("");
    }

    /**
     * The address in Java's form of a socket's address, such as host/192.0.2.1:50222 or /[2001:db8:0:0:0:0:0:1]:50222.
     */
    static String withoutPort(String address) {
        return address.replaceAll("^[^/]*/|:[0-9]+$|[\\[\\]]", "");
    }
}
