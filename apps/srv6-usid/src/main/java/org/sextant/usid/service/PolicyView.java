// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.service;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.sextant.core.intent.EntryStatus;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.json.ProblemJson;
import org.sextant.core.text.Moments;
import org.sextant.usid.Policy;
import org.sextant.usid.PolicyJson;

/** A stored policy with its state, as REST and shell show it. */
public final class PolicyView {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private PolicyView() {}

    public static ObjectNode of(IntentStatus<Policy> status) {
        ObjectNode view = NODES.objectNode();
        view.put("id", status.id()).put("state", status.state().name()).put("since", Moments.iso(status.since()));
        view.set("policy", PolicyJson.encode(status.intent().intent()));
        ObjectNode explanation = status.plan().explanation();
        view.set("directions", explanation.has("directions") ? explanation.get("directions") : NODES.arrayNode());
        view.set("errors", ProblemJson.list(status.problems()));
        ArrayNode warnings = view.putArray("warnings");
        status.plan().warnings().forEach(warnings::add);
        ArrayNode troubles = view.putArray("troubles");
        status.troubles().forEach(trouble -> troubles.add(trouble(trouble)));
        return view;
    }

    public static ArrayNode of(List<IntentStatus<Policy>> statuses) {
        ArrayNode view = NODES.arrayNode();
        statuses.forEach(status -> view.add(of(status)));
        return view;
    }

    /** An entry that is wanted and not installed, and why. */
    private static ObjectNode trouble(EntryStatus entry) {
        ObjectNode view = NODES.objectNode();
        view.put("node", entry.node())
                .put("table", entry.key().table())
                .put("match", entry.key().match())
                .put("state", entry.state().name());
        entry.failure()
                .ifPresent(failure -> view.put("code", failure.code().name()).put("reason", failure.reason()));
        return view;
    }
}
