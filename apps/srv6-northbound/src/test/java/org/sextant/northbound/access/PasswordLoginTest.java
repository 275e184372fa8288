// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.access.Role;

@DisplayNameGeneration(ReplaceUnderscores.class)
class PasswordLoginTest {
    private final TestUsers users = new TestUsers();
    private final AtomicLong nanos = new AtomicLong();
    private final PasswordLogin login = new PasswordLogin(users, nanos::get);

    @Test
    void a_password_that_was_right_is_not_checked_again_for_a_minute() throws LoginRefused {
        for (int i = 0; i < 1000; i++) {
            assertThat(login.login("olga", "olgaolga", "127.0.0.1"))
                    .isEqualTo(new Caller("olga", Set.of(Role.OPERATOR), Caller.How.PASSWORD, "127.0.0.1"));
        }
        assertThat(users.checks).hasValue(1);
        nanos.addAndGet(Duration.ofSeconds(61).toNanos());
        login.login("olga", "olgaolga", "127.0.0.1");
        assertThat(users.checks).hasValue(2);
    }

    @Test
    void requests_that_come_at_once_are_all_let_in_by_one_check() {
        IntStream.range(0, 64).parallel().forEach(i -> {
            try {
                login.login("olga", "olgaolga", "127.0.0.1");
            } catch (LoginRefused e) {
                throw new AssertionError(e);
            }
        });
        assertThat(users.checks).hasValue(1);
    }

    @Test
    void a_changed_password_and_a_removed_user_count_at_once() throws LoginRefused {
        login.login("olga", "olgaolga", "127.0.0.1");
        users.remove("olga");
        refused("olga", "olgaolga", "no user of this name has this password");
    }

    @Test
    void nobody_is_taken_for_another_by_a_name_that_ends_elsewhere() throws LoginRefused {
        login.login("olga", "olgaolga", "127.0.0.1");
        refused("olg", "aolgaolga", "no user of this name has this password");
        refused("olga", "", "no user of this name has this password");
    }

    @Test
    void guesses_wait_longer_and_longer_and_who_is_at_work_does_not() throws LoginRefused {
        login.login("admin", "adminadmin", "127.0.0.1");
        for (int i = 0; i < 5; i++) {
            refused("admin", "guess" + i, "no user of this name has this password");
        }
        int checks = users.checks.get();
        refused("admin", "guess", "too many logins failed; try again in 1 second");
        assertThat(users.checks).as("not even looked at").hasValue(checks);
        login.login("admin", "adminadmin", "127.0.0.1");
        login.login("olga", "olgaolga", "127.0.0.1");
    }

    private void refused(String name, String password, String why) {
        assertThatThrownBy(() -> login.login(name, password, "127.0.0.1"))
                .isInstanceOf(LoginRefused.class)
                .hasMessage(why);
    }
}
