// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.annotation.security.RolesAllowed;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sextant.core.access.Role;

@DisplayNameGeneration(ReplaceUnderscores.class)
class PermissionsTest {
    private final Permissions permissions =
            new Permissions(Map.of("policies", Role.OPERATOR, "firewalls", Role.SECURITY));

    @ParameterizedTest
    @CsvSource({
        "GET,    policies,                plain,   VIEWER",
        "HEAD,   policies,                plain,   VIEWER",
        "POST,   policies,                plain,   OPERATOR",
        "DELETE, /policies/gold,          plain,   OPERATOR",
        "PUT,    firewalls/edge,          plain,   SECURITY",
        "POST,   firewalls/edge/rollback, plain,   SECURITY",
        "POST,   firewalls/edge/trace,    reading, VIEWER",
        "GET,    users,                   secret,  ADMIN",
        "GET,    other,                   strange, ADMIN",
        "POST,   audit,                   plain,   ADMIN",
        "BREW,   policies,                plain,   OPERATOR",
        "POST,   policiesandmore,         plain,   ADMIN",
        "POST,   '',                      plain,   ADMIN",
    })
    void a_request_needs(String httpMethod, String path, String served, Role role) {
        assertThat(permissions.needed(httpMethod, path, served(served))).isEqualTo(role);
    }

    @Test
    void a_role_covers_what_is_less_and_not_its_neighbour() {
        assertThat(Role.ADMIN.covered()).containsExactly(Role.values());
        assertThat(Role.OPERATOR.covered()).containsExactly(Role.VIEWER, Role.OPERATOR);
        assertThat(Role.SECURITY.covered()).containsExactly(Role.VIEWER, Role.SECURITY);
        assertThat(Role.VIEWER.covered()).containsExactly(Role.VIEWER);
        assertThat(Role.named("Admin")).isEmpty();
        assertThat(Role.named("root")).isEmpty();
        assertThat(Role.VIEWER.coveredBy(Set.of())).isFalse();
    }

    @Test
    void a_client_learns_what_it_may_change() {
        assertThat(permissions.changeable(Set.of(Role.VIEWER))).isEmpty();
        assertThat(permissions.changeable(Set.of(Role.OPERATOR))).containsExactly("policies");
        assertThat(permissions.changeable(Set.of(Role.SECURITY, Role.OPERATOR)))
                .containsExactly("firewalls", "policies");
    }

    @Test
    void of_roles_that_cover_each_other_a_caller_has_the_greater() {
        assertThat(new Caller("x", Role.ADMIN.covered(), Caller.How.TOKEN, "").roles())
                .containsExactly(Role.ADMIN);
        assertThat(new Caller("x", Set.of(Role.OPERATOR, Role.SECURITY, Role.VIEWER), Caller.How.TOKEN, "").roles())
                .containsExactlyInAnyOrder(Role.OPERATOR, Role.SECURITY);
    }

    private static Method served(String name) {
        return Stream.of(Served.class.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Methods as resources have them. */
    interface Served {
        void plain();

        @RolesAllowed({"admin", "viewer"})
        void reading();

        @RolesAllowed("admin")
        void secret();

        /** A role that is none admits no caller by mistake. */
        @RolesAllowed("everyone")
        void strange();
    }
}
