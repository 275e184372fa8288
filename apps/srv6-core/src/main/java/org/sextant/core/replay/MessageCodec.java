// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRequest;
import org.sextant.core.intent.Precondition;
import org.sextant.core.intent.engine.EngineMessage;

/** Messages of the engine to JSON and back; intents have the form of their kind. */
final class MessageCodec {
    static final String CLASS = "@";
    private static final String KIND = "kind";
    private static final String INTENTS = "intents";
    private static final String ONLY = "only";
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final Map<String, IntentKind<?>> kinds;

    /** @param kinds by name; for decoding */
    MessageCodec(Map<String, IntentKind<?>> kinds) {
        this.kinds = kinds;
    }

    static ObjectNode encode(EngineMessage message) {
        ObjectNode json = JSON.objectNode().put(CLASS, message.getClass().getSimpleName());
        if (message instanceof EngineMessage.KindRegistered registered) {
            return json.put(KIND, registered.kind().name());
        }
        if (message instanceof EngineMessage.KindUnregistered unregistered) {
            return json.put(KIND, unregistered.kind().name());
        }
        if (message instanceof EngineMessage.Submit<?> submit) {
            json.put(KIND, submit.kind().name()).set(INTENTS, intents(submit.kind(), submit.intents()));
            return json.set(ONLY, RecordCodec.encode(submit.only()));
        }
        if (message instanceof EngineMessage.SubmitFirst<?> submit) {
            json.put(KIND, submit.kind().name()).set(INTENTS, intents(submit.kind(), submit.intents()));
            return json;
        }
        if (message instanceof EngineMessage.SubmitTogether submit) {
            return json.set(INTENTS, requests(submit.intents()));
        }
        if (message instanceof EngineMessage.DryRunTogether submit) {
            return json.set(INTENTS, requests(submit.intents()));
        }
        if (message instanceof EngineMessage.Replace replace) {
            json.put(KIND, replace.kind().name()).put("id", replace.id());
            json.set("seen", intents(replace.kind(), replace.seen().stream().toList()));
            json.set("next", intents(replace.kind(), replace.next().stream().toList()));
            return json.set(ONLY, RecordCodec.encode(replace.only()));
        }
        if (message instanceof EngineMessage.Withdraw withdraw) {
            json.put(KIND, withdraw.kind().name()).set("ids", RecordCodec.encode(withdraw.ids()));
            return json.set(ONLY, RecordCodec.encode(withdraw.only()));
        }
        if (message instanceof EngineMessage.WithdrawPresent withdraw) {
            return json.put(KIND, withdraw.kind().name()).set("ids", RecordCodec.encode(withdraw.ids()));
        }
        return json.setAll((ObjectNode) RecordCodec.encode(message));
    }

    private static ArrayNode intents(IntentKind<?> kind, List<?> intents) {
        ArrayNode json = JSON.arrayNode();
        intents.forEach(intent -> json.add(any(kind).encode(intent)));
        return json;
    }

    private static ArrayNode requests(List<IntentRequest<?>> requests) {
        ArrayNode json = JSON.arrayNode();
        requests.forEach(request -> json.addObject()
                .put(KIND, request.kind().name())
                .set("intent", any(request.kind()).encode(request.intent())));
        return json;
    }

    /** The intents of a message are of its kind. */
    @SuppressWarnings("unchecked")
    private static IntentKind<Object> any(IntentKind<?> kind) {
        return (IntentKind<Object>) kind;
    }

    /** @throws IllegalArgumentException if it is no message */
    EngineMessage decode(JsonNode json) {
        return switch (json.path(CLASS).asText()) {
            case "KindRegistered" -> new EngineMessage.KindRegistered(kind(json));
            case "KindUnregistered" -> new EngineMessage.KindUnregistered(kind(json));
            case "Submit" -> new EngineMessage.Submit<>(any(kind(json)), decoded(json, INTENTS), only(json));
            case "SubmitFirst" -> new EngineMessage.SubmitFirst<>(any(kind(json)), decoded(json, INTENTS));
            case "SubmitTogether" -> new EngineMessage.SubmitTogether(decodedRequests(json));
            case "DryRunTogether" -> new EngineMessage.DryRunTogether(decodedRequests(json));
            case "Replace" ->
                new EngineMessage.Replace(
                        kind(json),
                        json.path("id").asText(),
                        decodedOne(json, "seen"),
                        decodedOne(json, "next"),
                        only(json));
            case "Withdraw" -> new EngineMessage.Withdraw(kind(json), ids(json), only(json));
            case "WithdrawPresent" -> new EngineMessage.WithdrawPresent(kind(json), ids(json));
            default -> (EngineMessage) RecordCodec.decode(json, EngineMessage.class);
        };
    }

    private IntentKind<?> kind(JsonNode json) {
        String name = json.path(KIND).asText();
        return Optional.ofNullable(kinds.get(name))
                .orElseThrow(() -> new IllegalArgumentException("no app here has the kind " + name));
    }

    private List<Object> decoded(JsonNode json, String field) {
        List<Object> intents = new ArrayList<>();
        json.path(field).forEach(one -> intents.add(kind(json).decode(one)));
        return intents;
    }

    private Optional<Object> decodedOne(JsonNode json, String field) {
        return decoded(json, field).stream().findFirst();
    }

    private List<IntentRequest<?>> decodedRequests(JsonNode json) {
        List<IntentRequest<?>> requests = new ArrayList<>();
        json.path(INTENTS)
                .forEach(one -> requests.add(
                        new IntentRequest<>(any(kind(one)), kind(one).decode(one.path("intent")))));
        return requests;
    }

    private static List<String> ids(JsonNode json) {
        List<String> ids = new ArrayList<>();
        json.path("ids").forEach(id -> ids.add(id.asText()));
        return ids;
    }

    private static Precondition only(JsonNode json) {
        return (Precondition) RecordCodec.decode(json.path(ONLY), Precondition.class);
    }
}
