// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.Explained;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.kit.app.AppIntents;
import org.sextant.kit.app.AppWords;
import org.sextant.kit.app.DocumentWords;
import org.sextant.kit.app.EngineIntents;
import org.sextant.kit.app.Form;
import org.sextant.kit.app.IntentText;
import org.sextant.kit.app.SrApp;
import org.sextant.kit.app.Word;

/** The smallest app below another: remarks on notes. */
public final class Remarks implements SrApp<Remarks.Remark>, IntentKind<Remarks.Remark> {
    private final Notes notes;

    public Remarks(Notes notes) {
        this.notes = notes;
        notes.engine().register(this);
    }

    public record Remark(String note, String id, String text, int stars) {}

    @Override
    public List<IntentKind<?>> kinds() {
        return List.of(this);
    }

    @Override
    public AppWords words() {
        return new AppWords() {
            @Override
            public String one() {
                return "remark";
            }

            @Override
            public String many() {
                return "remarks";
            }

            @Override
            public Optional<AppWords> within() {
                return Optional.of(notes.words());
            }

            @Override
            public DocumentWords document() {
                return new DocumentWords("remark", "id");
            }

            @Override
            public List<Example> examples() {
                return List.of(new Example("a remark", "{\"id\": \"r1\", \"text\": \"good\"}"));
            }
        };
    }

    @Override
    public Optional<Form> form() {
        return Optional.of(new Form(
                List.of(
                        Word.argument("ID", "Its id.", Word.text("id")),
                        Word.argument("TEXT", "What it says.", Word.text("text"))
                                .offering("good", "bad")),
                2,
                "an id and a text"));
    }

    @Override
    public AppIntents<Remark> intents() {
        return new EngineIntents<>(notes.engine(), this);
    }

    @Override
    public AppIntents<?> above() {
        return notes.intents();
    }

    /** The stars that it had count on. */
    @Override
    public Remark following(Remark before, Remark submitted) {
        return before.stars() > submitted.stars()
                ? new Remark(submitted.note(), submitted.id(), submitted.text(), before.stars())
                : submitted;
    }

    @Override
    public Remark decode(String above, JsonNode json) {
        if (json.path("stars").asInt() > 5) {
            throw new ProblemException(new Problem(Problem.Code.INVALID, "/stars", "too many", "five at most"));
        }
        return new Remark(
                above,
                json.path("id").asText(),
                json.path("text").asText(),
                json.path("stars").asInt());
    }

    @Override
    public Remark decode(JsonNode stored) {
        return decode(stored.path("note").asText(), stored);
    }

    @Override
    public ObjectNode encode(Remark remark) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("note", remark.note())
                .put("id", remark.id())
                .put("text", remark.text())
                .put("stars", remark.stars());
    }

    @Override
    public IntentText text() {
        return new RemarkText();
    }

    @Override
    public void detail(org.sextant.core.intent.IntentStatus<Remark> status, ObjectNode view) {
        view.put("whole", status.id());
    }

    @Override
    public String name() {
        return "remark";
    }

    @Override
    public String identity(Remark remark) {
        return remark.note() + "/" + remark.id();
    }

    @Override
    public Optional<String> suggestedId(Remark remark) {
        return Optional.of(identity(remark));
    }

    @Override
    public Set<IntentRef> refersTo(Remark remark) {
        return Set.of(new IntentRef("note", remark.note()));
    }

    @Override
    public Plan compile(NumberedIntent<Remark> remark, CompileContext context) {
        NumberedIntent<?> note =
                context.offered(new IntentRef("note", remark.intent().note()), NumberedIntent.class, "/note");
        return new Plan(
                List.of(),
                Explained.NOTHING,
                List.of(),
                List.of("on the note " + note.intent()),
                Dependence.only(List.of()));
    }
}
