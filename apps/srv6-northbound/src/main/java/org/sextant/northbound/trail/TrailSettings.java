// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.trail;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What etc/org.sextant.audit.cfg says; an empty or missing value means the default.
 *
 * @param folder of the files
 * @param key the file of the key that the head is made with; made by the first start, elsewhere than the files
 * @param maxBytes after so many a file is followed by another
 * @param maxFiles so many are kept
 * @param syslog where every line is sent as well
 */
record TrailSettings(Path folder, Path key, long maxBytes, int maxFiles, Optional<URI> syslog) {

    /** @throws IllegalArgumentException naming the key, the value and what is wanted */
    static TrailSettings of(Map<String, ?> values, Path base, Path etc) {
        return new TrailSettings(
                text(values, "folder").map(Path::of).orElse(base.resolve("audit")),
                text(values, "key").map(Path::of).orElse(etc.resolve("sextant").resolve("audit.key")),
                number(values, "file.mebibytes", 8, 1024) << 20,
                (int) number(values, "files", 8, 1000),
                text(values, "syslog").map(TrailSettings::collector));
    }

    private static Optional<String> text(Map<String, ?> values, String key) {
        @Nullable Object value = values.get(key);
        return Optional.ofNullable(value).map(said -> said.toString().trim()).filter(said -> !said.isEmpty());
    }

    private static long number(Map<String, ?> values, String key, int otherwise, int most) {
        String value = text(values, key).orElse(Integer.toString(otherwise));
        if (!value.matches("[0-9]{1,4}") || Integer.parseInt(value) < 2 || Integer.parseInt(value) > most) {
            throw new IllegalArgumentException(
                    "org.sextant.audit.cfg: " + key + " = " + value + " is not a number from 2 to " + most);
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
