// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.ProblemException;
import org.sextant.core.access.Role;

@DisplayNameGeneration(ReplaceUnderscores.class)
class KarafUsersTest {
    private static final String PASSWORD = "correct horse battery";

    @TempDir
    private Path etc;

    private Path file;
    private KarafUsers users;

    @BeforeEach
    void etc() throws IOException {
        file = etc.resolve("users.properties");
        Files.writeString(file, """
                # what an operator noted
                _g_\\:admingroup = group,admin,manager,viewer,systembundles,ssh
                root = {CRYPT}%s{CRYPT},_g_:admingroup
                """.formatted(PasswordHash.sha256(PASSWORD)));
        users = new KarafUsers(file, etc.resolve("keys.properties"), new SecureRandom());
    }

    @Test
    void what_the_reference_implementation_hashed_is_understood() {
        // Argon2's own test.c: password, somesalt, two passes, 2^16 KiB; with a comma where a semicolon is here.
        String stored = "$argon2id$v=19$m=65536;t=2;p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
        assertThat(PasswordHash.matches(stored, "password")).isTrue();
        assertThat(PasswordHash.matches(stored, "Password")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                PASSWORD,
                "$argon2id$",
                "$argon2id$v=19$m=999999;t=2;p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
                "$argon2id$v=19$m=0;t=0;p=0$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
            })
    void what_is_no_hash_opens_nothing(String stored) {
        assertThat(PasswordHash.matches(stored, PASSWORD)).isFalse();
    }

    @Test
    void an_old_hash_opens_and_is_a_new_one_from_then_on() throws IOException {
        assertThat(users.check("root", "wrong")).isEmpty();
        assertThat(Files.readString(file)).contains(PasswordHash.sha256(PASSWORD));
        assertThat(users.check("root", PASSWORD)).contains(Set.of(Role.ADMIN, Role.VIEWER));
        assertThat(Files.readString(file))
                .contains(
                        "root = {CRYPT}$argon2id$v=19$m=19456;t=2;p=1$", "# what an operator noted", ",_g_:admingroup")
                .doesNotContain(PasswordHash.sha256(PASSWORD));
        assertThat(users.check("root", PASSWORD)).isPresent();
        assertThat(users.check("root", "wrong")).isEmpty();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void a_user_comes_gets_another_password_and_goes() throws IOException {
        long before = users.version();
        users.add("alice", Role.OPERATOR, PASSWORD);
        assertThat(users.version()).isNotEqualTo(before);
        assertThat(users.check("alice", PASSWORD)).contains(Set.of(Role.OPERATOR, Role.VIEWER));
        assertThat(users.account("alice", PASSWORD).orElseThrow().principals())
                .containsExactly("operator", "ssh", "viewer");
        users.change("alice", PASSWORD + "!");
        assertThat(users.check("alice", PASSWORD)).isEmpty();
        assertThat(users.check("alice", PASSWORD + "!")).isPresent();
        assertThat(users.all()).containsOnlyKeys("alice", "root");
        Files.writeString(etc.resolve("keys.properties"), "alice = AAAA,_g_:viewergroup\nroot = BBBB,admin\n");
        users.remove("alice");
        assertThat(users.check("alice", PASSWORD + "!")).isEmpty();
        assertThat(Files.readString(etc.resolve("keys.properties"))).isEqualTo("root = BBBB,admin\n");
    }

    @Test
    void administrators_know_all_roles_in_a_shell_whose_groups_are_from_an_earlier_release() {
        assertThat(users.account("root", PASSWORD).orElseThrow().principals())
                .contains("admin", "operator", "security", "viewer", "ssh", "manager", "systembundles");
    }

    @Test
    void a_group_is_no_user_and_a_password_in_clear_text_opens_nothing() throws IOException {
        assertThat(users.check("_g_:admingroup", "group")).isEmpty();
        Files.writeString(file, "root = clear text,admin\n");
        assertThat(users.check("root", "clear text")).isEmpty();
        assertThat(users.check("root", "")).isEmpty();
        Files.writeString(file, "root = ,admin\nnobody\n");
        assertThat(users.check("root", "")).isEmpty();
        assertThat(users.check("nobody", "")).isEmpty();
    }

    @Test
    void what_cannot_be_is_refused_and_says_why() {
        refused(() -> users.add("root", Role.VIEWER, PASSWORD), "there is a user \"root\" already");
        refused(() -> users.add("a,admin", Role.VIEWER, PASSWORD), "is no name of a user");
        refused(() -> users.add("a\nb = x", Role.VIEWER, PASSWORD), "is no name of a user");
        refused(() -> users.add("_g_:x", Role.VIEWER, PASSWORD), "is no name of a user");
        refused(() -> users.add("bob", Role.VIEWER, "short"), "12 to 256");
        refused(() -> users.add("bob", Role.VIEWER, "x".repeat(257)), "12 to 256");
        refused(() -> users.change("bob", PASSWORD), "there is no user \"bob\"");
        refused(() -> users.remove("bob"), "there is no user \"bob\"");
        refused(() -> users.remove("root"), "is the last administrator");
        assertThat(users.all()).containsOnlyKeys("root");
    }

    @Test
    void a_name_that_nobody_has_takes_as_long_as_a_wrong_password() {
        users.add("alice", Role.VIEWER, PASSWORD);
        users.check("alice", "wrong");
        long known = least(() -> users.check("alice", "wrong"));
        long unknown = least(() -> users.check("bob", "wrong"));
        assertThat((double) unknown / known).isBetween(0.5, 2.0);
    }

    private static long least(Runnable run) {
        return List.of(1, 2, 3, 4, 5).stream()
                .mapToLong(i -> {
                    long start = System.nanoTime();
                    run.run();
                    return System.nanoTime() - start;
                })
                .min()
                .orElseThrow();
    }

    private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String why) {
        assertThatThrownBy(call).isInstanceOf(ProblemException.class).hasMessageContaining(why);
    }
}
