// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.Explained;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.Numbered;
import org.sextant.core.intent.Plan;

/** A stand-in for policies: an intent is the id of the firewall that it leads through, and installs nothing. */
final class Through implements IntentKind<String> {
    @Override
    public String name() {
        return "policy";
    }

    @Override
    public ObjectNode encode(String firewall) {
        return JsonNodeFactory.instance.objectNode().put("firewall", firewall);
    }

    @Override
    public String decode(JsonNode json) {
        return json.get("firewall").asText();
    }

    @Override
    public String identity(String firewall) {
        return firewall;
    }

    @Override
    public Optional<String> suggestedId(String firewall) {
        return Optional.of("through-" + firewall);
    }

    @Override
    public Set<IntentRef> refersTo(String firewall) {
        return Set.of(new IntentRef("firewall", firewall));
    }

    @Override
    public Plan compile(Numbered<String> intent, CompileContext context) {
        return new Plan(List.of(), Explained.of(encode(intent.intent())), List.of(), List.of(), Dependence.NOTHING);
    }
}
