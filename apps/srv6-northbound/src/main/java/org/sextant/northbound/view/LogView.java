// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.sextant.core.text.Moments;
import org.sextant.northbound.events.LogEvent;
import org.sextant.northbound.events.LogQuery;

/** The log of events, as REST and shell show it. */
public final class LogView {
    private LogView() {}

    public static ArrayNode of(List<LogEvent> events) {
        ArrayNode view = JsonNodeFactory.instance.arrayNode();
        events.forEach(event -> view.add(of(event)));
        return view;
    }

    /** After which number the next page begins; empty if this one is not full. */
    public static Optional<String> next(List<LogEvent> events, LogQuery query) {
        return events.size() < query.limit()
                ? Optional.empty()
                : Optional.of(Long.toString(events.get(events.size() - 1).number()));
    }

    private static ObjectNode of(LogEvent event) {
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        view.put("number", event.number()).put("time", Moments.iso(event.last()));
        if (event.count() > 1) {
            view.put("first", Moments.iso(event.first()));
        }
        view.put("count", event.count())
                .put("kind", event.kind().word())
                .put("severity", event.severity().word());
        view.putObject("subject")
                .put("kind", event.subject().kind())
                .put("id", event.subject().id());
        return view.put("text", event.text());
    }
}
