// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The settings of etc/org.sextant.audit.cfg; an empty or missing value means the default.
 *
 * @param folder of the files
 * @param key the file of the key that the head is made with; made by the first start, elsewhere than the files
 * @param maxBytes after so many a file is followed by another
 * @param maxFiles so many are kept
 * @param syslog where every line, and every anchor, is sent as well
 * @param anchors the file to which the end of the trail is added now and then
 * @param anchorMinutes the time between two anchors
 */
record AuditLogSettings(
        Path folder,
        Path key,
        long maxBytes,
        int maxFiles,
        Optional<URI> syslog,
        Optional<Path> anchors,
        int anchorMinutes) {
    private static final int ANCHOR_MINUTES = 10;
    private static final int MOST_MINUTES = 1440;
    private static final int FILES = 8;

    /** Without a file of anchors. */
    AuditLogSettings(Path folder, Path key, long maxBytes, int maxFiles, Optional<URI> syslog) {
        this(folder, key, maxBytes, maxFiles, syslog, Optional.empty(), ANCHOR_MINUTES);
    }

    /** @throws IllegalArgumentException naming the key, the value and the expected form */
    static AuditLogSettings of(Map<String, ?> values, Path base, Path etc) {
        return new AuditLogSettings(
                text(values, "folder").map(Path::of).orElse(base.resolve("audit")),
                text(values, "key").map(Path::of).orElse(etc.resolve("sextant").resolve("audit.key")),
                (long) number(values, "file.mebibytes", FILES, 2, 1024) << 20,
                number(values, "files", FILES, 2, 1000),
                text(values, "syslog").map(AuditLogSettings::collector),
                text(values, "anchors").map(Path::of),
                number(values, "anchor.minutes", ANCHOR_MINUTES, 1, MOST_MINUTES));
    }

    private static Optional<String> text(Map<String, ?> values, String key) {
        @Nullable Object value = values.get(key);
        return Optional.ofNullable(value).map(said -> said.toString().trim()).filter(said -> !said.isEmpty());
    }

    private static int number(Map<String, ?> values, String key, int otherwise, int least, int most) {
        String value = text(values, key).orElse(Integer.toString(otherwise));
        if (!value.matches("[0-9]{1,4}") || Integer.parseInt(value) < least || Integer.parseInt(value) > most) {
            throw new IllegalArgumentException(
                    "org.sextant.audit.cfg: " + key + " = " + value + " is not a number from " + least + " to " + most);
        }
        return Integer.parseInt(value);
    }

    private static URI collector(String value) {
        if (value.matches("(udp|tcp)://.+")) {
            URI uri = URI.create(value);
            if (uri.getHost() != null && uri.getPort() > 0) {
                return uri;
            }
        }
        throw new IllegalArgumentException(
                "org.sextant.audit.cfg: syslog = " + value + " is neither udp://HOST:PORT nor tcp://HOST:PORT");
    }
}
