// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.karaf.southbound.TlsFiles;

@DisplayNameGeneration(ReplaceUnderscores.class)
class SettingsTest {
    private static final Path BASE = Path.of("/base");
    private static final Path ETC = Path.of("/etc");

    @Test
    void empty_values_are_defaults() {
        assertThat(Settings.of(Map.of("network", "", "store", " "), BASE, ETC))
                .isEqualTo(new Settings(
                        Path.of("/base/store"),
                        Path.of("/etc/sextant/network.json"),
                        TlsFiles.NONE,
                        3,
                        Optional.empty()));
    }

    @Test
    void values_are_taken() {
        Settings settings = Settings.of(
                Map.of(
                        "network",
                        "/n.json",
                        "tls.certificate",
                        "c",
                        "tls.key",
                        "k",
                        "lldp.seconds",
                        "0",
                        "recording",
                        "/r"),
                BASE,
                ETC);
        assertThat(settings.network()).isEqualTo(Path.of("/n.json"));
        assertThat(settings.tls())
                .isEqualTo(new TlsFiles(
                        Optional.empty(), Optional.of(Path.of("c")), Optional.of(Path.of("k")), Optional.empty()));
        assertThat(settings.lldpSeconds()).isZero();
        assertThat(settings.recording()).contains(Path.of("/r"));
    }

    @Test
    void wrong_values_are_named() {
        assertThatThrownBy(() -> Settings.of(Map.of("lldp.seconds", "often"), BASE, ETC))
                .hasMessageContaining("lldp.seconds = often");
        assertThatThrownBy(() -> Settings.of(Map.of("lldp.seconds", "301"), BASE, ETC))
                .hasMessageContaining("300");
        assertThatThrownBy(() -> Settings.of(Map.of("tls.key", "k"), BASE, ETC))
                .hasMessageContaining("tls.certificate");
    }
}
