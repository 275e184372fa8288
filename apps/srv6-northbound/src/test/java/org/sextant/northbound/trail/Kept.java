// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.trail;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** A trail in a folder of a test. */
public final class Kept {
    private Kept() {}

    public static Trail in(Path folder) {
        return in(folder, 1 << 20, 4);
    }

    /** One that keeps so many files of so many bytes. */
    public static Trail in(Path folder, long maxBytes, int maxFiles) {
        TrailSettings settings = new TrailSettings(
                folder.resolve("audit"), folder.resolve("etc/audit.key"), maxBytes, maxFiles, Optional.empty());
        return new Trail(settings, Clock.systemUTC(), line -> {});
    }

    /** All that it has, newest first. */
    public static List<JsonNode> lines(Trail trail) {
        return trail.read(TrailQuery.parse(null, null, null, null, "1000", null));
    }

    /** The lines of deeds, newest first. */
    public static List<JsonNode> deeds(Trail trail) {
        return lines(trail).stream().filter(line -> line.has("user")).toList();
    }
}
