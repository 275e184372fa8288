// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.sextant.core.Problem;
import org.sextant.core.intent.EntryStatus;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.text.Moments;
import org.sextant.livelive.Accepted;
import org.sextant.livelive.LiveLiveJson;
import org.sextant.livelive.plan.Taps;

/** A flow with its state, its paths and what they deliver, as REST and shell show it; see docs/livelive.md. */
public final class LiveLiveView {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private LiveLiveView() {}

    static ObjectNode of(IntentStatus<Accepted> status, List<DirectionCounts> counts, List<Health.Event> events) {
        ObjectNode view = NODES.objectNode();
        view.put("id", status.id())
                .put("state", status.state().name())
                .put("since", Moments.iso(status.since()));
        view.set("flow", LiveLiveJson.encode(status.intent().intent().flow()));
        JsonNode plan = status.plan().explanation();
        for (String field : List.of("wanted", "found", "delaySpreadMicros", "relaxed")) {
            if (plan.has(field)) {
                view.set(field, plan.get(field));
            }
        }
        ArrayNode directions = view.putArray("directions");
        plan.path("directions").forEach(direction -> directions.add(direction(direction.deepCopy(), counts)));
        ArrayNode told = view.putArray("events");
        events.forEach(event -> told.addObject()
                .put("at", Moments.iso(event.at()))
                .put("path", event.path())
                .put("state", event.state().name())
                .put("message", event.message()));
        view.set("errors", problems(status.problems()));
        ArrayNode warnings = view.putArray("warnings");
        status.plan().warnings().forEach(warnings::add);
        ArrayNode troubles = view.putArray("troubles");
        status.troubles().forEach(trouble -> troubles.add(trouble(trouble)));
        return view;
    }

    /** In the shape of problem+json's {@code errors}. */
    private static ArrayNode problems(List<Problem> problems) {
        ArrayNode view = NODES.arrayNode();
        problems.forEach(problem -> view.addObject()
                .put("code", problem.code().name())
                .put("field", problem.field())
                .put("message", problem.message())
                .put("remedy", problem.remedy()));
        return view;
    }

    private static ObjectNode trouble(EntryStatus entry) {
        ObjectNode view = NODES.objectNode()
                .put("node", entry.node())
                .put("table", entry.key().table())
                .put("match", entry.key().match())
                .put("state", entry.state().name());
        entry.failure()
                .ifPresent(failure ->
                        view.put("code", failure.code().name()).put("reason", failure.reason()));
        return view;
    }

    private static ObjectNode direction(ObjectNode view, List<DirectionCounts> counts) {
        Optional<DirectionCounts> own = counts.stream()
                .filter(one -> Integer.toUnsignedLong(one.taps().flowId())
                        == view.get("flowId").longValue())
                .findFirst();
        own.flatMap(DirectionCounts::packets).ifPresent(packets -> view.put("packets", packets));
        own.flatMap(DirectionCounts::arrivals).ifPresent(arrivals -> {
            view.put("delivered", arrivals.delivered());
            own.flatMap(DirectionCounts::packets)
                    .ifPresent(packets -> view.put("lost", Math.max(0, packets - arrivals.delivered())));
        });
        for (JsonNode path : view.get("paths")) {
            own.ifPresent(one -> path((ObjectNode) path, one));
        }
        return view;
    }

    private static void path(ObjectNode view, DirectionCounts counts) {
        int path = view.get("path").intValue();
        view.put("state", counts.state(path).name());
        counts.sent(path).ifPresent(sent -> view.put("sent", sent));
        counts.arrivals().ifPresent(arrivals -> {
            PathCounts own = arrivals.of(path);
            view.put("first", own.first())
                    .put("duplicate", own.duplicate())
                    .put("late", own.late())
                    .put("lost", arrivals.lost(path))
                    .put("winShare", Math.round(arrivals.winShare(path) * 1000) / 1000.0);
            own.behindMicros(0.5).ifPresent(micros -> view.put("behindFirstMedianMicros", micros));
            own.behindMicros(0.99).ifPresent(micros -> view.put("behindFirst99Micros", micros));
        });
    }

    /** What is known of one direction; what could not be read is empty. */
    record DirectionCounts(
            Taps taps,
            Optional<Arrivals> arrivals,
            Optional<Long> packets,
            java.util.Map<Integer, Long> sentByPath,
            java.util.Map<Integer, Health.State> states) {

        Optional<Long> sent(int path) {
            return Optional.ofNullable(sentByPath.get(path));
        }

        Health.State state(int path) {
            return states.getOrDefault(path, Health.State.UNKNOWN);
        }
    }
}
