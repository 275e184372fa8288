// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class OwnCertificateTest {
    private static final Instant NOW = Instant.parse("2026-11-26T00:00:00Z");

    @TempDir
    private Path folder;

    private Path certificate() {
        return folder.resolve("certificate.pem");
    }

    private Path key() {
        return folder.resolve("key.pem");
    }

    private boolean ensure(Instant now) throws IOException {
        boolean made = OwnCertificate.ensure(certificate(), key(), now);
        HttpsKeys.Pair.read(certificate(), key());
        return made;
    }

    @Test
    void a_certificate_that_was_made_in_1970_is_good_once_the_clock_is_set() throws IOException {
        assertThat(ensure(Instant.EPOCH)).isTrue();
        assertThat(HttpsKeys.ending(HttpsKeys.Pair.read(certificate(), key()).chain()[0], NOW))
                .isEmpty();
        assertThat(ensure(NOW)).isFalse();
    }

    @Test
    void a_key_that_a_crash_left_without_its_certificate_is_replaced_together_with_it() throws IOException {
        ensure(NOW);
        Path other = folder.resolve("other");
        OwnCertificate.ensure(other.resolve("certificate.pem"), other.resolve("key.pem"), NOW);
        Files.write(key(), Files.readAllBytes(other.resolve("key.pem")));
        assertThat(ensure(NOW.minus(Duration.ofDays(400)))).isTrue();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key())))
                .isEqualTo("rw-------");
    }

    @Test
    void what_is_no_certificate_is_named_and_stays() throws IOException {
        Files.writeString(certificate(), "");
        Files.writeString(key(), "");
        assertThatThrownBy(() -> ensure(NOW)).hasMessageContaining(certificate() + " is no certificate");
        assertThat(certificate()).isEmptyFile();
        assertThat(key()).isEmptyFile();
    }
}
