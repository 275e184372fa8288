// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sextant.core.intent.Plan;
import org.sextant.core.text.Moments;
import org.sextant.livelive.plan.Taps;

/** The paths of a flow and their counters in REST and the shell; see docs/livelive.md. */
public final class LiveLiveView {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private LiveLiveView() {}

    static void detail(Plan compiled, Watch watch, ObjectNode view) {
        List<DirectionCounts> counts =
                Taps.of(compiled).stream().map(watch::counts).toList();
        JsonNode plan = compiled.explanation();
        for (String field : List.of("wanted", "found", "delaySpreadMicros", "relaxed")) {
            if (plan.has(field)) {
                view.set(field, plan.get(field));
            }
        }
        ArrayNode directions = view.putArray("directions");
        plan.path("directions").forEach(direction -> directions.add(direction(direction.deepCopy(), counts)));
        ArrayNode told = view.putArray("events");
        watch.events(compiled).forEach(event -> told.add(event(event)));
    }

    private static ObjectNode event(Health.Event event) {
        ObjectNode view = NODES.objectNode().put("at", Moments.iso(event.at()));
        event.path().ifPresent(path -> view.put("path", path));
        return view.put("state", event.state().name()).put("message", event.message());
    }

    private static ObjectNode direction(ObjectNode view, List<DirectionCounts> all) {
        Optional<DirectionCounts> own = all.stream()
                .filter(one -> Integer.toUnsignedLong(one.taps().flowId())
                        == view.get("flowId").longValue())
                .findFirst();
        own.ifPresent(counts -> {
            view.put("state", counts.state().name());
            counts.reading().before().ifPresent(sent -> view.put("packets", sent.packets()));
            counts.reading().arrivals().ifPresent(arrivals -> view.put("delivered", arrivals.delivered()));
            counts.lost().ifPresent(lost -> view.put("lost", lost));
        });
        for (JsonNode path : view.get("paths")) {
            own.ifPresent(one -> path((ObjectNode) path, one));
        }
        return view;
    }

    private static void path(ObjectNode view, DirectionCounts counts) {
        int path = view.get("path").intValue();
        view.put(
                "state",
                counts.states().getOrDefault(path, Health.State.UNKNOWN).name());
        counts.reading().before().map(sent -> sent.copies().get(path)).ifPresent(copies -> view.put("sent", copies));
        counts.reading().arrivals().ifPresent(arrivals -> {
            PathCounts own = arrivals.of(path);
            view.put("first", own.first())
                    .put("duplicate", own.duplicate())
                    .put("late", own.late())
                    .put("lost", counts.lostByPath().getOrDefault(path, 0L))
                    .put("winShare", Math.round(arrivals.winShare(path) * 1000) / 1000.0);
            own.behindMicros(0.5).ifPresent(micros -> view.put("behindFirstMedianMicros", micros));
            own.behindMicros(0.99).ifPresent(micros -> view.put("behindFirst99Micros", micros));
        });
    }

    /**
     * The counters and states of one direction.
     *
     * @param lost on all paths; empty if the ingress has no counters
     */
    record DirectionCounts(
            Taps taps,
            Reading reading,
            Health.State state,
            Optional<Long> lost,
            Map<Integer, Health.State> states,
            Map<Integer, Long> lostByPath) {}
}
