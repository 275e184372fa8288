// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.core.Problem;
import org.sextant.core.access.Role;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.Explained;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.Intents;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.kit.app.AppIntents;
import org.sextant.kit.app.AppWords;
import org.sextant.kit.app.ExclusiveIntents;
import org.sextant.kit.app.IntentText;
import org.sextant.kit.app.SrApp;

/** The smallest app of intents that exclude each other: guests in numbered seats, one in each. */
public final class Seats implements SrApp<Seats.Guest>, IntentKind<Seats.Guest> {
    private final Intents engine;

    public Seats(Intents engine) {
        this.engine = engine;
        engine.register(this);
    }

    public record Guest(String name, int seat) {}

    @Override
    public List<IntentKind<?>> kinds() {
        return List.of(this);
    }

    @Override
    public AppWords words() {
        return new AppWords() {
            @Override
            public String one() {
                return "guest";
            }

            @Override
            public String many() {
                return "guests";
            }

            @Override
            public List<Example> examples() {
                return List.of(new Example("a guest", "{\"name\": \"ann\", \"seat\": 1}"));
            }
        };
    }

    @Override
    public AppIntents<Guest> intents() {
        return new ExclusiveIntents<>(engine, this) {
            @Override
            protected Held<Guest> nothing() {
                return new Taken();
            }
        };
    }

    private static final class Taken implements ExclusiveIntents.Held<Guest> {
        private final List<Guest> guests = new ArrayList<>();

        @Override
        public void add(String id, Guest guest) {
            guests.add(guest);
        }

        @Override
        public List<Problem> against(Guest guest) {
            return guests.stream()
                    .filter(other ->
                            other.seat() == guest.seat() && !other.name().equals(guest.name()))
                    .map(other -> new Problem(
                            Problem.Code.CONFLICT, "/seat", other.name() + " has the seat", "choose another"))
                    .toList();
        }

        @Override
        public boolean isEmpty() {
            return guests.isEmpty();
        }
    }

    @Override
    public Role changedBy() {
        return Role.SECURITY;
    }

    @Override
    public Guest decode(JsonNode json) {
        return new Guest(json.path("name").asText(), json.path("seat").asInt());
    }

    @Override
    public ObjectNode encode(Guest guest) {
        return JsonNodeFactory.instance.objectNode().put("name", guest.name()).put("seat", guest.seat());
    }

    @Override
    public IntentText text() {
        return new NoteText();
    }

    @Override
    public String name() {
        return "guest";
    }

    @Override
    public String identity(Guest guest) {
        return guest.name();
    }

    @Override
    public Optional<String> suggestedId(Guest guest) {
        return Optional.of(guest.name());
    }

    @Override
    public Plan compile(NumberedIntent<Guest> guest, CompileContext context) {
        return new Plan(List.of(), Explained.NOTHING, List.of(), List.of(), Dependence.on(List.of()));
    }
}
