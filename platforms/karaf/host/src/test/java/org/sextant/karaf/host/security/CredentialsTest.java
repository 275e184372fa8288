// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class CredentialsTest {
    private static final String GROUPS = "_g_\\:admingroup = group,admin\n";

    @TempDir
    private Path etc;

    private Path users;
    private Path clearText;

    @BeforeEach
    void files() throws IOException {
        users = etc.resolve("users.properties");
        clearText = etc.resolve("sextant").resolve("credentials");
        Files.writeString(users, GROUPS);
    }

    @Test
    void the_first_start_makes_a_password_for_each_user() throws IOException {
        assertThat(ensure()).isEqualTo("[admin, viewer]");
        Map<String, String> secrets = secrets();
        assertThat(secrets.keySet()).containsExactly("admin", "viewer");
        assertThat(secrets.values()).allMatch(secret -> secret.length() == 32).doesNotHaveDuplicates();
        List<String> lines = Files.readAllLines(users);
        assertThat(lines).hasSize(3).first().isEqualTo(GROUPS.strip());
        assertThat(lines.get(1)).startsWith("admin = {CRYPT}$argon2id$").endsWith("{CRYPT},_g_:admingroup");
        assertThat(lines.get(2)).startsWith("viewer = {CRYPT}$argon2id$").endsWith("{CRYPT},_g_:viewergroup");
        KarafUsers made = new KarafUsers(users, etc.resolve("keys.properties"), new SecureRandom());
        assertThat(made.check("admin", secrets.get("admin"))).isPresent();
        assertThat(made.check("viewer", secrets.get("viewer"))).isPresent();
        assertThat(made.check("viewer", secrets.get("admin"))).isEmpty();
    }

    @Test
    void only_the_owner_can_read_them() throws IOException {
        ensure();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(clearText)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(users)))
                .isEqualTo("rw-------");
        assertThat(Files.readString(users)).doesNotContain(secrets().values());
    }

    @Test
    void a_later_start_changes_nothing() throws IOException {
        ensure();
        String before = Files.readString(users) + Files.readString(clearText);
        assertThat(ensure()).isEqualTo("[]");
        assertThat(Files.readString(users) + Files.readString(clearText)).isEqualTo(before);
    }

    @Test
    void a_password_that_was_changed_stays() throws IOException {
        Files.writeString(users, GROUPS + "admin=mine,_g_:admingroup\n");
        assertThat(ensure()).isEqualTo("[viewer]");
        assertThat(Files.readAllLines(users)).contains("admin=mine,_g_:admingroup");
    }

    @Test
    void a_removed_user_gets_a_new_password_and_the_others_keep_theirs() throws IOException {
        ensure();
        Map<String, String> before = secrets();
        Files.write(
                users,
                Files.readAllLines(users).stream()
                        .filter(line -> !line.startsWith("viewer"))
                        .toList());
        assertThat(ensure()).isEqualTo("[viewer]");
        assertThat(secrets().get("admin")).isEqualTo(before.get("admin"));
        assertThat(secrets().get("viewer")).isNotEqualTo(before.get("viewer"));
    }

    @Test
    void karafs_old_default_is_removed_but_a_user_of_that_name_is_not() throws IOException {
        Files.writeString(
                users,
                GROUPS + "karaf = karaf,_g_:admingroup\nkaraf={CRYPT}" + PasswordHash.sha256("karaf")
                        + "{CRYPT},_g_:admingroup\n");
        ensure();
        assertThat(Files.readString(users)).doesNotContain("karaf");
        Files.writeString(users, Files.readString(users) + "karaf = better,_g_:admingroup\n");
        ensure();
        assertThat(Files.readString(users)).contains("karaf = better");
    }

    private String ensure() throws IOException {
        return new Credentials(users, clearText, new SecureRandom()).ensure().toString();
    }

    private Map<String, String> secrets() throws IOException {
        Map<String, String> secrets = new TreeMap<>();
        Files.readAllLines(clearText).forEach(line -> secrets.put(line.split("=")[0], line.split("=")[1]));
        return secrets;
    }
}
