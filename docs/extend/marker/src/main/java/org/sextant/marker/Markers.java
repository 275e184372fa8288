// SPDX-License-Identifier: Apache-2.0
package org.sextant.marker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Intents;
import org.sextant.core.intent.Submission;
import org.sextant.core.port.Subscription;
import org.sextant.kit.Settling;

/** The app: it makes its kind known to the engine, and is what REST and shell ask. */
@Component(service = Markers.class)
public class Markers {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Reference
    protected Intents intents;

    private final MarkerKind kind = new MarkerKind();
    private Subscription registered;

    @Activate
    protected void activate() {
        registered = intents.register(kind);
    }

    @Deactivate
    protected void deactivate() {
        registered.close();
    }

    ObjectNode add(JsonNode json) {
        Submission<Marker> submission = intents.submit(kind, List.of(kind.decode(json)));
        Submission.Outcome<Marker> outcome = submission.outcomes().get(0);
        if (!outcome.accepted()) {
            throw new ProblemException(outcome.problems());
        }
        Settling.await(submission.settled(), PATIENCE);
        String id = outcome.intent().orElseThrow().id();
        return intents.get(kind, id).map(this::view).orElseThrow();
    }

    ArrayNode list() {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        intents.list(kind).forEach(status -> list.add(view(status)));
        return list;
    }

    void remove(String id) {
        Settling.await(intents.withdraw(kind, List.of(id)), PATIENCE);
    }

    private ObjectNode view(IntentStatus<Marker> status) {
        ObjectNode view = JsonNodeFactory.instance
                .objectNode()
                .put("id", status.id())
                .put("state", status.state().name());
        view.set("marker", kind.encode(status.intent().intent()));
        return view;
    }
}
