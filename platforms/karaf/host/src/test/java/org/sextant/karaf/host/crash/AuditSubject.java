// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.crash;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.core.access.Role;
import org.sextant.karaf.host.crash.CrashChecker.Verdict;
import org.sextant.northbound.access.Caller;
import org.sextant.northbound.audit.AuditLog;
import org.sextant.northbound.audit.AuditRecord;
import org.sextant.northbound.audit.TestAuditLog;

/**
 * The audit log, its head and its key. Steps 2i-1 and 2i are the beginning and the end of change i; its content is the changes whose
 * lines are kept, and how they ended, and no second chain: that would be the report of a cut or an edit.
 */
final class AuditSubject implements CrashChecker.Subject {
    static final long FILE_BYTES = 4000;
    static final int FILES = 4;

    static AuditRecord deed(int change) {
        Caller admin = new Caller("admin", Set.of(Role.ADMIN), Caller.How.PASSWORD, "192.0.2.1");
        return AuditRecord.change(admin, "rest", "PUT", String.format("policies/p%06d", change));
    }

    @Override
    public Map<String, String> open(Path folder) throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (AuditLog trail = TestAuditLog.in(folder, FILE_BYTES, FILES)) {
            for (JsonNode line : TestAuditLog.lines(trail)) {
                if (line.path("event").asText().equals("chain")
                        && !line.path("because").toString().contains("first start")) {
                    throw new IOException("reported as cut or edited: " + line);
                }
                if (line.has("user")) {
                    content.put(
                            line.path("resource").asText(), line.path("outcome").asText());
                }
            }
        }
        return content;
    }

    @Override
    public Map<String, String> after(int steps) {
        Map<String, String> content = new TreeMap<>();
        for (int step = 1; step <= steps; step++) {
            content.put(String.format("policies/p%06d", (step + 1) / 2), step % 2 == 1 ? "unknown" : "done");
        }
        return content;
    }

    /** An opening adds a line, and the oldest file may go by that. */
    @Override
    public boolean isSteady(Map<String, String> first, Map<String, String> second) {
        return second.isEmpty() ? first.isEmpty() : isEnd(new TreeMap<>(second), new TreeMap<>(first));
    }

    /** The oldest files are gone: the content is the end of the written records. */
    @Override
    public Verdict judge(Map<String, String> content, int acknowledged) {
        for (int step : List.of(acknowledged, acknowledged + 1)) {
            SortedMap<String, String> all = new TreeMap<>(after(step));
            if (content.isEmpty() ? all.isEmpty() : isEnd(new TreeMap<>(content), all)) {
                return Verdict.FINE;
            }
        }
        return Verdict.LOST;
    }

    private static boolean isEnd(SortedMap<String, String> content, SortedMap<String, String> all) {
        return all.tailMap(content.firstKey()).equals(content);
    }
}
