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
        TrailSettings settings = new TrailSettings(
                folder.resolve("audit"), folder.resolve("etc/audit.key"), 1 << 20, 4, Optional.empty());
        return new Trail(settings, Clock.systemUTC(), line -> {});
    }

    /** What it has of deeds, newest first. */
    public static List<JsonNode> deeds(Trail trail) {
        return trail.read(TrailQuery.parse(null, null, null, null, "1000", null)).stream()
                .filter(line -> line.has("user"))
                .toList();
    }
}
