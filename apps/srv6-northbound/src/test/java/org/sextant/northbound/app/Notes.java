// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.Explained;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.net.Network;
import org.sextant.kit.app.AppIntents;
import org.sextant.kit.app.AppWords;
import org.sextant.kit.app.DocumentWords;
import org.sextant.kit.app.EngineIntents;
import org.sextant.kit.app.IntentText;
import org.sextant.kit.app.SrApp;

/** The smallest app: notes that install nothing, and have neither filters nor a form nor an explanation. */
public class Notes implements SrApp<String>, IntentKind<String>, AutoCloseable {
    private final FakeStore store = new FakeStore();
    private final IntentEngine engine = new IntentEngine(
            new FakeInventory(Network.EMPTY),
            new FakeDataPlane(),
            store,
            new FakeCoordination(),
            EngineSettings.DEFAULT);

    public Notes() {
        engine.register(this);
        engine.start();
    }

    /** For apps whose intents belong to notes. */
    public IntentEngine engine() {
        return engine;
    }

    public FakeStore store() {
        return store;
    }

    @Override
    public List<IntentKind<?>> kinds() {
        return List.of(this);
    }

    @Override
    public AppWords words() {
        return new AppWords() {
            @Override
            public String one() {
                return "note";
            }

            @Override
            public String many() {
                return "notes";
            }

            @Override
            public DocumentWords document() {
                return new DocumentWords("note", "text");
            }

            @Override
            public List<Example> examples() {
                return List.of(new Example("a note", "{\"text\": \"hello\"}"));
            }
        };
    }

    @Override
    public AppIntents<String> intents() {
        return new EngineIntents<>(engine, this);
    }

    @Override
    public String name() {
        return "note";
    }

    @Override
    public ObjectNode encode(String note) {
        return JsonNodeFactory.instance.objectNode().put("text", note);
    }

    @Override
    public IntentText text() {
        return new NoteText();
    }

    @Override
    public String decode(JsonNode json) {
        return json.path("text").asText();
    }

    @Override
    public String identity(String note) {
        return note;
    }

    @Override
    public Optional<String> suggestedId(String note) {
        return Optional.of(note);
    }

    @Override
    public Plan compile(NumberedIntent<String> note, CompileContext context) {
        return new Plan(
                List.of(), Explained.NOTHING, List.of(), List.of("it is only a note"), Dependence.on(List.of()));
    }

    @Override
    public void close() {
        engine.close();
    }
}
