// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.Numbered;
import org.sextant.core.intent.Plan;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.Entry;
import org.sextant.core.table.Flow;
import org.sextant.core.table.MySid;
import org.sextant.livelive.Accepted;
import org.sextant.livelive.LiveLive;
import org.sextant.livelive.LiveLiveJson;
import org.sextant.livelive.Numbers;

/** Live-Live flows as intents of the engine. */
public final class LiveLiveKind implements IntentKind<Accepted> {
    private final LiveLiveCompiler compiler;

    public LiveLiveKind(LiveLiveCompiler compiler) {
        this.compiler = compiler;
    }

    @Override
    public String name() {
        return "livelive";
    }

    /** The flow as posted, and the numbers that it was given. */
    @Override
    public ObjectNode encode(Accepted intent) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.set("flow", LiveLiveJson.encode(intent.flow()));
        ArrayNode numbers = json.putArray("numbers");
        intent.numbers()
                .forEach(one -> numbers.addObject().put("group", one.group()).put("window", one.window()));
        return json;
    }

    @Override
    public Accepted decode(JsonNode json) {
        try {
            List<Numbers> numbers = new ArrayList<>();
            json.path("numbers")
                    .forEach(one -> numbers.add(new Numbers(
                            one.path("group").asInt(), one.path("window").asInt(-1))));
            return new Accepted(LiveLiveJson.decode(json.path("flow")), numbers);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(new Problem(
                    Problem.Code.INVALID, "/numbers", "not a stored flow: " + e.getMessage(), "post the flow again"));
        }
    }

    /** A named flow is its name; any other is its canonical text. */
    @Override
    public String identity(Accepted intent) {
        return identity(intent.flow());
    }

    public static String identity(LiveLive flow) {
        return flow.name()
                .map(name -> "name " + name)
                .orElseGet(() -> LiveLiveJson.encode(flow).toString());
    }

    @Override
    public Optional<String> suggestedId(Accepted intent) {
        return intent.flow().name();
    }

    @Override
    public Plan compile(Numbered<Accepted> intent, CompileContext context) {
        return compiler.compile(intent, context);
    }

    /** SIDs that de-duplicate belong to the node. */
    @Override
    public boolean shares(Entry entry) {
        return entry instanceof MySid sid && sid.behavior() instanceof Behavior.Dedup;
    }

    @Override
    public String field(Accepted intent, Entry entry) {
        return entry instanceof Flow ? "/from" : "";
    }
}
