// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.web;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Steps over the controller's own certificate and its key, for the crash checker. */
public final class RecordedCertificate {
    private static final Instant BEGIN = Instant.parse("2026-11-26T00:00:00Z");
    private static final Duration LIFE = Duration.ofDays(825);

    private RecordedCertificate() {}

    /** The certificate before has ended: a start makes another one. */
    public static void step(Path folder, int step) throws IOException {
        ensure(folder, BEGIN.plus(LIFE.multipliedBy(step)));
    }

    private static void ensure(Path folder, Instant now) throws IOException {
        OwnCertificate.ensure(folder.resolve("https/certificate.pem"), folder.resolve("https/key.pem"), now);
    }

    /** A start at a time when no certificate has ended, as after a clock that went back. */
    public static Map<String, String> read(Path folder) throws IOException {
        ensure(folder, BEGIN);
        HttpsKeys.Pair.read(folder.resolve("https/certificate.pem"), folder.resolve("https/key.pem"));
        return Map.of("key", "fits");
    }
}
