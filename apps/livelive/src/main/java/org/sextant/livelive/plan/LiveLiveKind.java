// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.core.intent.Allocation;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.Entry;
import org.sextant.core.table.Flow;
import org.sextant.core.table.MySid;
import org.sextant.livelive.LiveLive;
import org.sextant.livelive.LiveLiveShape;

/** Live-Live flows as intents of the engine. */
public final class LiveLiveKind implements IntentKind<LiveLive> {
    public static final String NAME = "livelive";

    private final LiveLiveCompiler compiler;

    public LiveLiveKind(LiveLiveCompiler compiler) {
        this.compiler = compiler;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ObjectNode encode(LiveLive intent) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.set("flow", LiveLiveShape.FLOW.write(intent));
        return json;
    }

    @Override
    public LiveLive decode(JsonNode json) {
        return LiveLiveShape.FLOW.decode(json.path("flow"));
    }

    /** Reads the numbers that earlier versions stored with a flow: {@code "numbers": [{"group": 5, "window": 3}]}. */
    @Override
    public List<Allocation> granted(JsonNode json) {
        List<Allocation> grants = new ArrayList<>();
        JsonNode numbers = json.path("numbers");
        for (int direction = 0; direction < numbers.size(); direction++) {
            JsonNode had = numbers.get(direction);
            grants.addAll(Numbers.granted(
                    direction, had.path("group").asInt(), had.path("window").asInt()));
        }
        return grants;
    }

    /** The identity of a named flow is its name; that of any other is its canonical text. */
    @Override
    public String identity(LiveLive intent) {
        return intent.name()
                .map(name -> "name " + name)
                .orElseGet(
                        () -> LiveLiveShape.FLOW.write(intent.withoutMetadata()).toString());
    }

    @Override
    public Optional<String> suggestedId(LiveLive intent) {
        return intent.name();
    }

    @Override
    public Plan compile(NumberedIntent<LiveLive> intent, CompileContext context) {
        return compiler.compile(intent, context);
    }

    @Override
    public Plan admit(NumberedIntent<LiveLive> intent, CompileContext context) {
        return compiler.admit(intent, context);
    }

    /** SIDs that de-duplicate belong to the node. */
    @Override
    public boolean shares(Entry entry) {
        return entry instanceof MySid sid && sid.behavior() instanceof Behavior.Dedup;
    }

    @Override
    public String field(LiveLive intent, Entry entry) {
        return entry instanceof Flow ? "/from" : "";
    }
}
