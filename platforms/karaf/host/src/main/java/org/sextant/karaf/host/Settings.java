// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.sextant.karaf.southbound.TlsFiles;

/**
 * The settings of etc/org.sextant.cfg; an empty or missing value means the default.
 *
 * @param store folder of the durable store
 * @param network the network description
 * @param lldpSeconds between two rounds of discovery; 0 turns it off
 * @param recording file for the messages of the engine; empty: nothing is recorded
 */
record Settings(Path store, Path network, TlsFiles tls, int lldpSeconds, Optional<Path> recording) {
    private static final int DEFAULT_LLDP_SECONDS = 3;
    private static final int MAX_LLDP_SECONDS = 300;

    /** @throws IllegalArgumentException naming the key, the value and the expected form */
    static Settings of(Map<String, ?> values, Path karafBase, Path karafEtc) {
        return new Settings(
                file(values, "store").orElse(karafBase.resolve("store")),
                file(values, "network").orElse(karafEtc.resolve("sextant").resolve("network.json")),
                new TlsFiles(
                        file(values, "tls.ca"),
                        file(values, "tls.certificate"),
                        file(values, "tls.key"),
                        file(values, "tls.crl")),
                seconds(values, "lldp.seconds"),
                file(values, "recording"));
    }

    private static Optional<String> text(Map<String, ?> values, String key) {
        return Optional.ofNullable(values.get(key))
                .map(value -> value.toString().trim())
                .filter(value -> !value.isEmpty());
    }

    private static Optional<Path> file(Map<String, ?> values, String key) {
        return text(values, key).map(Path::of);
    }

    private static int seconds(Map<String, ?> values, String key) {
        String value = text(values, key).orElse(Integer.toString(DEFAULT_LLDP_SECONDS));
        if (!value.matches("[0-9]{1,3}") || Integer.parseInt(value) > MAX_LLDP_SECONDS) {
            throw new IllegalArgumentException("org.sextant.cfg: " + key + " = " + value
                    + " is not a number of seconds from 0 to " + MAX_LLDP_SECONDS);
        }
        return Integer.parseInt(value);
    }
}
