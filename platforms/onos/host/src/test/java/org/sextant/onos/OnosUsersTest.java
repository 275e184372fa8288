// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.sextant.core.ProblemException;
import org.sextant.core.access.Role;
import org.sextant.core.access.Users;

/** ONOS keeps its users: Sextant says so, and does not wait for a service that never comes. */
class OnosUsersTest {
    @Test
    void requests_to_list_or_change_users_are_refused_with_the_commands_of_onos() {
        Users users = new OnosUsers();
        List<ThrowingCallable> requests = List.of(
                users::all,
                () -> users.add("ann", Role.VIEWER, "correct horse battery"),
                () -> users.change("ann", "correct horse battery"),
                () -> users.remove("ann"));
        for (ThrowingCallable request : requests) {
            assertThatThrownBy(request)
                    .isInstanceOf(ProblemException.class)
                    .hasMessageContaining("ONOS keeps the users")
                    .hasMessageContaining("jaas:user-add");
        }
    }
}
