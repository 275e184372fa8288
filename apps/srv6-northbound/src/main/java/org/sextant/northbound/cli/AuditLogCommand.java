// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sextant.northbound.audit.AuditLog;
import org.sextant.northbound.audit.AuditLogQuery;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code srv6:audit-trail}. */
@Command(
        name = "audit-trail",
        description = "Lists changes with user, time and address; newest first.",
        footer = {"", "Examples:", "  srv6:audit-trail", "  srv6:audit-trail --user admin --outcome refused"})
final class AuditLogCommand extends NetworkCommand {
    @Option(names = "--user", paramLabel = "USER", description = "Only of this user.")
    private @Nullable String user;

    @Option(names = "--since", paramLabel = "TIME", description = "Only from this time on, as 2026-11-23T10:00:00Z.")
    private @Nullable String since;

    @Option(
            names = "--resource",
            paramLabel = "ADDRESS",
            description = "Only of this address or below it, as policies.")
    private @Nullable String resource;

    @Option(
            names = "--outcome",
            paramLabel = "OUTCOME",
            description = "Only done, partly, refused, denied, failed or unknown ones.")
    private @Nullable String outcome;

    @Option(names = "--limit", paramLabel = "N", description = "At most so many; 100 if it is left out.")
    private @Nullable String limit;

    @Option(names = "--after", paramLabel = "LINE", description = "Only older ones than this line.")
    private @Nullable String after;

    private final AuditLog trail;

    AuditLogCommand(NetworkCommands controller) {
        super(controller);
        this.trail = controller.trail;
    }

    @Override
    protected boolean changes() {
        return false;
    }

    @Override
    protected int run() throws IOException {
        AuditLogQuery query = AuditLogQuery.parse(user, since, resource, outcome, limit, after);
        List<JsonNode> lines = trail.read(query);
        ArrayNode view = JsonNodeFactory.instance.arrayNode().addAll(lines);
        print(
                view,
                lines.isEmpty()
                        ? "nothing is recorded that fits\n"
                        : JsonTable.of(
                                view,
                                "seq",
                                "time",
                                "event",
                                "user",
                                "from",
                                "by",
                                "method",
                                "resource",
                                "outcome",
                                "status",
                                "changes.count"));
        if (lines.size() == query.limit()) {
            note(Paging.more(lines.get(lines.size() - 1).get("seq").asText()));
        }
        return 0;
    }
}
