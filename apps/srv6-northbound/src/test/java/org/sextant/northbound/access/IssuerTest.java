// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.access.Role;

@DisplayNameGeneration(ReplaceUnderscores.class)
class IssuerTest {
    private SmallIssuer issuer;
    private TestLogins logins;
    private Instant now;

    @BeforeEach
    void issuer() throws IOException, JOSEException {
        issuer = new SmallIssuer();
        logins = trusting(Map.of());
        now = logins.time.instant();
    }

    private TestLogins trusting(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of("issuer", issuer.url(), "audience", "sextant"));
        settings.putAll(more);
        return new TestLogins(settings);
    }

    @AfterEach
    void close() {
        issuer.close();
    }

    @Test
    void who_the_issuer_vouches_for_gets_in_under_a_name_that_no_user_here_can_have() throws LoginRefused {
        assertThat(login(issuer.claims(now)))
                .isEqualTo(new Caller("oidc:alice", Set.of(Role.OPERATOR), Caller.How.OIDC, "192.0.2.7"));
    }

    @Test
    void times_are_held_with_a_minute_of_leeway() throws LoginRefused {
        refused(issuer.claims(now).expirationTime(Date.from(now.minusSeconds(61))), "Expired JWT");
        login(issuer.claims(now).expirationTime(Date.from(now.minusSeconds(50))));
        refused(issuer.claims(now).notBeforeTime(Date.from(now.plusSeconds(70))), "JWT before use time");
        login(issuer.claims(now).notBeforeTime(Date.from(now.plusSeconds(50))));
        refused(issuer.claims(now).expirationTime(null), "JWT missing required claims: [exp]");
        JWTClaimsSet fine = issuer.claims(now).build();
        logins.time.jump(Duration.ofHours(-2));
        refused(issuer.signed(fine), 401, "which is yet to come");
        logins.time.jump(Duration.ofHours(4));
        refused(issuer.signed(fine), 401, "Expired JWT");
    }

    @Test
    void what_is_meant_for_others_or_from_others_is_refused() throws JOSEException {
        refused(issuer.claims(now).audience("grafana"), "JWT aud claim rejected");
        refused(issuer.claims(now).audience((String) null), "JWT");
        refused(issuer.claims(now).issuer("https://evil.example"), "JWT iss claim");
        refused(issuer.claims(now).subject(null), "it has no claim sub that identifies the user");
        String forged = SmallIssuer.signed(issuer.claims(now).build(), SmallIssuer.key("first"));
        refused(forged, 401, "Invalid signature");
    }

    @Test
    void unsigned_and_signed_with_the_public_key_as_a_secret_are_refused() throws JOSEException {
        JWTClaimsSet claims =
                issuer.claims(now).claim("roles", List.of("admin")).build();
        refused(new PlainJWT(claims).serialize(), 401, "it is not signed");
        SignedJWT confused = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("first").build(), claims);
        confused.sign(new MACSigner(issuer.shown().toRSAPublicKey().getEncoded()));
        refused(confused.serialize(), 401, "refused");
        refused("x.y.z", 401, "it is not signed");
        refused("x", 401, "it is not signed");
    }

    @Test
    void a_key_that_is_new_is_fetched_and_one_that_nobody_has_is_not_fetched_for_ever() throws Exception {
        login(issuer.claims(now));
        issuer.rotate("second");
        login(issuer.claims(now));
        int before = issuer.keyFetches.get();
        for (int i = 0; i < 50; i++) {
            refused(SmallIssuer.signed(issuer.claims(now).build(), SmallIssuer.key("nobodys")), 401, "refused");
            if (i == 5) {
                break; // making keys takes its time; five are enough to see that it does not ask for each
            }
        }
        assertThat(issuer.keyFetches.get() - before).isLessThanOrEqualTo(2);
        login(issuer.claims(now));
    }

    @Test
    void a_role_that_does_not_exist_is_no_role() throws LoginRefused {
        assertThat(login(issuer.claims(now).claim("roles", List.of("root", "Admin", 7)))
                        .roles())
                .isEmpty();
        assertThat(login(issuer.claims(now).claim("roles", null)).roles()).isEmpty();
        assertThat(login(issuer.claims(now).claim("roles", "security")).roles()).containsExactly(Role.SECURITY);
    }

    @Test
    void roles_stand_where_the_operator_says_and_are_called_as_they_say() throws LoginRefused {
        logins = trusting(Map.of(
                "claim.roles", "realm_access.roles",
                "claim.user", "preferred_username",
                "role.admin", "net-admins, root",
                "role.viewer", "everyone"));
        Caller caller = login(issuer.claims(now)
                .claim("preferred_username", "al")
                .claim("realm_access", Map.of("roles", List.of("net-admins", "everyone", "admin"))));
        assertThat(caller).isEqualTo(new Caller("oidc:al", Set.of(Role.ADMIN), Caller.How.OIDC, "192.0.2.7"));
        assertThat(login(issuer.claims(now)
                                .claim("preferred_username", "al")
                                .claim("realm_access", Map.of("roles", List.of("admin"))))
                        .roles())
                .as("its word counts no more when the operator gave another")
                .isEmpty();
    }

    @Test
    void an_issuer_that_is_down_is_503_until_it_is_back_and_keys_that_are_known_go_on() throws Exception {
        String token = issuer.signed(issuer.claims(now).build());
        logins.login("Bearer " + token, "192.0.2.7");
        issuer.close();
        assertThat(logins.login("Bearer " + token, "192.0.2.7").name()).isEqualTo("oidc:alice");
        TestLogins fresh = trusting(Map.of());
        assertThatThrownBy(() -> fresh.login("Bearer " + token, "192.0.2.7"))
                .isInstanceOfSatisfying(LoginRefused.class, refused -> {
                    assertThat(refused.status()).isEqualTo(503);
                    assertThat(refused.retrySeconds()).isPositive();
                    assertThat(refused).hasMessageContaining("cannot be asked for its keys now");
                });
        assertThat(fresh.as("admin").roles()).containsExactly(Role.ADMIN);
    }

    @Test
    void an_issuer_that_calls_itself_otherwise_is_not_believed() {
        issuer.called = "https://somebody.else";
        refused(issuer.signed(issuer.claims(now).build()), 503, "calls itself https://somebody.else");
    }

    @Test
    void settings_that_make_no_sense_trust_nobody_and_say_why() {
        wrong(Map.of("issuer", "http://idp.example", "audience", "x"), "no https address");
        wrong(Map.of("issuer", "nonsense", "audience", "x"), "no https address");
        wrong(Map.of("issuer", "https://idp.example"), "audience");
        wrong(Map.of("issuer", "https://idp.example", "audience", "x", "role.root", "y"), "names no role");
        wrong(Map.of("issuer", "https://idp.example", "audience", "x", "skew.seconds", "-1"), "skew.seconds");
        assertThat(IssuerSettings.of(Map.of("issuer", " "))).isEmpty();
    }

    private static void wrong(Map<String, String> settings, String why) {
        assertThatThrownBy(() -> IssuerSettings.of(settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    private Caller login(JWTClaimsSet.Builder claims) throws LoginRefused {
        return logins.login("Bearer " + issuer.signed(claims.build()), "192.0.2.7");
    }

    private void refused(JWTClaimsSet.Builder claims, String why) {
        refused(issuer.signed(claims.build()), 401, why);
    }

    private void refused(String token, int status, String why) {
        assertThatThrownBy(() -> logins.login("Bearer " + token, "192.0.2.7"))
                .isInstanceOfSatisfying(LoginRefused.class, refused -> {
                    assertThat(refused.status()).isEqualTo(status);
                    assertThat(refused).hasMessageContaining(why);
                });
    }
}
