// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** An audit log in a temporary folder. */
public final class TestAuditLog {
    private TestAuditLog() {}

    public static AuditLog in(Path folder) {
        return in(folder, 1 << 20, 4);
    }

    /** One that keeps so many files of so many bytes. */
    public static AuditLog in(Path folder, long maxBytes, int maxFiles) {
        AuditLogSettings settings = new AuditLogSettings(
                folder.resolve("audit"), folder.resolve("etc/audit.key"), maxBytes, maxFiles, Optional.empty());
        return new AuditLog(settings, Clock.systemUTC(), line -> {});
    }

    /** All that it has, newest first. */
    public static List<JsonNode> lines(AuditLog trail) {
        return trail.read(AuditLogQuery.parse(null, null, null, null, "1000", null));
    }

    /** The lines of deeds, newest first. */
    public static List<JsonNode> deeds(AuditLog trail) {
        return lines(trail).stream().filter(line -> line.has("user")).toList();
    }
}
