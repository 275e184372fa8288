// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds lines, newest first. The begin of a deed is listed only if no line has its end. */
final class AuditLogReader {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final AuditLogQuery query;
    private final List<JsonNode> found = new ArrayList<>();
    private final Set<String> ended = new HashSet<>();

    private AuditLogReader(AuditLogQuery query) {
        this.query = query;
    }

    /** @param files oldest first */
    static List<JsonNode> read(List<Path> files, AuditLogQuery query) throws IOException {
        AuditLogReader reader = new AuditLogReader(query);
        for (int i = files.size() - 1; i >= 0 && !reader.enough(); i--) {
            reader.read(files.get(i));
        }
        return reader.found;
    }

    private boolean enough() {
        return found.size() == query.limit();
    }

    private void read(Path file) throws IOException {
        String[] lines;
        try {
            lines = new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n");
        } catch (NoSuchFileException rotated) {
            return;
        }
        for (int i = lines.length - 1; i >= 0 && !enough(); i--) {
            take(lines[i]);
        }
    }

    private void take(String text) {
        JsonNode line;
        try {
            line = MAPPER.readTree(text);
        } catch (JsonProcessingException edited) {
            return; // the start of the controller and `audit verify` report it
        }
        if (!(line instanceof ObjectNode object)) {
            return;
        }
        String request = line.path("request").asText();
        if (line.path("event").asText().equals("begun")) {
            if (ended.remove(request)) {
                return;
            }
            object.put("outcome", Outcome.UNKNOWN.word());
        } else if (!request.isEmpty()) {
            ended.add(request);
        }
        if (query.accepts(line)) {
            found.add(line);
        }
    }
}
