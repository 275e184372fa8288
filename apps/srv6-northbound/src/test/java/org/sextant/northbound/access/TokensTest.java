// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.access.Role;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.port.StoreUnavailableException;

@DisplayNameGeneration(ReplaceUnderscores.class)
class TokensTest {
    private final TestLogins logins = new TestLogins(Map.of());

    @Test
    void a_token_does_what_its_role_may_in_the_name_of_its_owner() throws LoginRefused {
        String token = make("admin", Role.OPERATOR);
        assertThat(logins.login("Bearer " + token, "192.0.2.9"))
                .isEqualTo(new Caller("admin", Set.of(Role.OPERATOR), Caller.How.TOKEN, "192.0.2.9"));
    }

    @Test
    void what_is_stored_is_no_token() {
        String token = make("admin", Role.OPERATOR);
        assertThat(logins.kept.all(Tokens.MAP).values())
                .singleElement()
                .asString()
                .doesNotContain(token, token.substring(token.length() - 20));
    }

    @Test
    void one_that_is_over_revoked_or_made_up_opens_nothing_and_says_why() throws LoginRefused {
        String token = make("admin", Role.OPERATOR);
        refused(token.substring(0, token.length() - 1) + "!", "there is no such token");
        refused(Tokens.MARK + "000000000000_x", "there is no such token");
        refused(Tokens.MARK, "there is no such token");
        logins.time.jump(Duration.ofHours(1));
        refused(token, "this token expired at 2026-11-23T04:00:00Z");
        String other = make("admin", Role.OPERATOR);
        assertThat(logins.revokeToken(logins.as("viewer"), id(other))).isFalse();
        logins.login("Bearer " + other, "");
        assertThat(logins.revokeToken(logins.as("admin"), id(other))).isTrue();
        refused(other, "there is no such token");
    }

    @Test
    void a_token_and_when_it_was_used_last_go_in_one_step() throws LoginRefused {
        String token = make("admin", Role.OPERATOR);
        logins.login("Bearer " + token, "");
        logins.login("Bearer " + make("admin", Role.VIEWER), "");
        int writes = logins.kept.writes();
        logins.kept.failNext(FakeStore.Fault.REFUSED);
        assertThatThrownBy(() -> logins.revokeToken(logins.as("admin"), id(token)))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(logins.login("Bearer " + token, "").name()).isEqualTo("admin");
        assertThat(logins.revokeToken(logins.as("admin"), id(token))).isTrue();
        assertThat(logins.kept.writes() - writes)
                .as("the refused one and the made one")
                .isEqualTo(2);
        logins.tokens().revokeAll("admin");
        assertThat(logins.kept.writes() - writes).isEqualTo(3);
        assertThat(logins.kept.all(Tokens.MAP)).isEmpty();
        assertThat(logins.kept.all("access-token-uses")).isEmpty();
    }

    @Test
    void a_clock_that_is_set_back_makes_no_old_token_new() {
        String token = make("admin", Role.OPERATOR);
        logins.time.jump(Duration.ofDays(-1));
        refused(token, "which is yet to come: the controller's clock is wrong");
    }

    @Test
    void a_token_whose_end_was_seen_stays_over_though_the_clock_goes_back_and_the_controller_restarts() {
        String shown = make("admin", Role.OPERATOR);
        String unseen = make("admin", Role.OPERATOR);
        logins.time.jump(Duration.ofHours(2));
        refused(shown, "this token expired at");
        logins.tokens().settle(); // every half minute
        logins.time.jump(Duration.ofHours(-2));
        logins.restart();
        refused(shown, "this token expired at");
        refused(unseen, "this token expired at");
    }

    @Test
    void a_token_that_is_revoked_while_its_end_is_written_stays_revoked() {
        String token = make("admin", Role.OPERATOR);
        logins.time.jump(Duration.ofHours(2));
        logins.revokeToken(logins.as("admin"), id(token));
        logins.tokens().settle();
        assertThat(logins.kept.all(Tokens.MAP)).isEmpty();
    }

    @Test
    void a_store_that_takes_nothing_lets_tokens_in_until_their_end() throws LoginRefused {
        String token = make("admin", Role.OPERATOR);
        logins.kept.failWith(new StoreUnavailableException("full"));
        logins.login("Bearer " + token, "");
        logins.time.jump(Duration.ofHours(2));
        refused(token, "this token expired at");
    }

    @Test
    void a_crash_in_the_middle_of_a_removal_gives_a_new_user_no_tokens_of_the_old() {
        String token = make("olga", Role.VIEWER);
        logins.known.remove("olga"); // and the controller dies before the tokens go
        UserAccounts accounts = new UserAccounts();
        accounts.users = new TestUsers() {
            @Override
            public void add(String name, Role role, String password) {
                logins.known.add(name, role, password);
                throw new IllegalStateException("the controller dies here");
            }
        };
        accounts.users.remove("olga");
        accounts.logins = logins;
        assertThatThrownBy(() -> accounts.add("olga", Role.OPERATOR, java.util.Optional.empty()))
                .hasMessage("the controller dies here");
        refused(token, "there is no such token");
    }

    @Test
    void a_token_is_never_worth_more_than_its_owner_is_by_now() {
        String token = make("olga", Role.OPERATOR);
        logins.known.roles.put("olga", Set.of(Role.VIEWER));
        refused(token, "the owner of this token, olga, is gone or has its role no more");
        logins.known.roles.remove("olga");
        refused(token, "the owner of this token, olga, is gone or has its role no more");
    }

    @Test
    void a_list_tells_when_each_was_used_but_not_what_it_is() throws LoginRefused {
        String token = make("olga", Role.VIEWER);
        make("admin", Role.ADMIN);
        assertThat(logins.listTokens(logins.as("olga")))
                .singleElement()
                .satisfies(one -> assertThat(one.get("lastUse").isNull()).isTrue());
        logins.login("Bearer " + token, "");
        assertThat(logins.listTokens(logins.as("olga")))
                .singleElement()
                .asString()
                .contains("\"lastUse\":\"2026-11-23T03:00:00Z\"")
                .doesNotContain("hash", token);
        assertThat(logins.listTokens(logins.as("admin"))).hasSize(2);
        assertThat(logins.listTokens(logins.as("sam"))).isEmpty();
    }

    @Test
    void a_user_who_goes_takes_the_tokens_along() {
        String token = make("olga", Role.VIEWER);
        UserAccounts accounts = new UserAccounts();
        accounts.users = logins.known;
        accounts.logins = logins;
        accounts.remove("olga");
        accounts.add("olga", Role.OPERATOR, java.util.Optional.empty());
        refused(token, "there is no such token");
        assertThat(logins.kept.all(Tokens.MAP)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Bearer",
                "Bearer ",
                "bearer  x",
                "Basic",
                "Basic !!!!",
                "Basic YWRtaW4=",
                "Digest x",
                "admin:admin",
            })
    void what_is_no_login_is_refused_with_a_sentence(String header) {
        assertThatThrownBy(() -> logins.login(header, "")).isInstanceOfSatisfying(LoginRefused.class, refused -> {
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused).hasMessageMatching("(log in with|this is no token).*");
        });
    }

    private String make(String owner, Role role) {
        ObjectNode made = logins.makeToken(logins.as(owner), new TokenRequest("test", role, Duration.ofHours(1)));
        return made.get("token").textValue();
    }

    private static String id(String token) {
        return token.split("_")[1];
    }

    private void refused(String token, String why) {
        assertThatThrownBy(() -> logins.login("Bearer " + token, ""))
                .isInstanceOf(LoginRefused.class)
                .hasMessageContaining(why);
    }
}
