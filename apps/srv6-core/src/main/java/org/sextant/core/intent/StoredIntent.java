// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * An intent as the store keeps it: {@code {"kind", "id", "number", "intent"}} under {@code kind/id}. Everything else
 * about an intent is computed again.
 */
record StoredIntent(IntentRef ref, int number, JsonNode intent) {
    static final String MAP = "intents";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    static String encode(Tracked intent) {
        return encode(intent.ref, intent.number(), intent.kind.encode(intent.intent.intent()));
    }

    static String encode(IntentRef ref, int number, ObjectNode intent) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("kind", ref.kind());
        json.put("id", ref.id());
        json.put("number", number);
        json.set("intent", intent);
        return json.toString();
    }

    /** @throws IllegalArgumentException if the text is not what {@link #encode} writes */
    static StoredIntent parse(String key, String text) {
        JsonNode json;
        try {
            json = MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
        }
        IntentRef ref =
                new IntentRef(json.path("kind").asText(), json.path("id").asText());
        int number = json.path("number").asInt();
        if (!ref.toString().equals(key)) {
            throw new IllegalArgumentException("it says that it is " + ref);
        }
        if (number < 1 || number > Registry.MAX_NUMBER || !json.path("intent").isObject()) {
            throw new IllegalArgumentException("its number or its intent is missing");
        }
        return new StoredIntent(ref, number, json.get("intent"));
    }

    /** The kind that a key of the map belongs to. */
    static String kindOf(String key) {
        int slash = key.indexOf('/');
        return slash < 0 ? key : key.substring(0, slash);
    }
}
