// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import org.sextant.core.intent.Allocation;
import org.sextant.core.intent.Digest;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.allocate.IdPools;
import org.sextant.core.intent.install.TrackedIntent;
import org.sextant.core.loop.Commits;
import org.sextant.core.port.StoreUnavailableException;

/**
 * An intent as the store keeps it: {@code {"kind", "id", "number", "intent"}} under {@code kind/id}, and {@code "grants"} if
 * it was given numbers of pools. Everything else about an intent is computed again.
 *
 * @param granted false if the text lacks the allocated numbers, which earlier versions kept in the intent
 */
public record StoredIntent(IntentRef ref, int number, JsonNode intent, List<Allocation> grants, boolean granted) {
    public static final String MAP = "intents";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /**
     * Any thread may call it.
     *
     * @throws StoreUnavailableException while the stored state of the intent is unknown
     */
    static void requireCertain(Commits commits, IntentRef ref) {
        commits.requireCertain(MAP, ref.toString(), ref.kind() + " \"" + ref.id() + "\"");
    }

    public static String encode(TrackedIntent intent) {
        return encode(intent, intent.numbered());
    }

    /** Its stored text when it is replaced by {@code next}. */
    public static String encode(TrackedIntent intent, NumberedIntent<Object> next) {
        return encode(intent.ref(), next.number(), intent.kind().encode(next.intent()), next.grants());
    }

    /** True if {@code next} changes nothing. An earlier version may have stored the same value as another text. */
    static boolean isSame(TrackedIntent intent, NumberedIntent<Object> next) {
        return Digest.of(encode(intent, next)).equals(intent.desired().stored())
                || intent.kind()
                        .encode(intent.numbered().intent())
                        .equals(intent.kind().encode(next.intent()));
    }

    public static String encode(IntentRef ref, int number, ObjectNode intent) {
        return encode(ref, number, intent, List.of());
    }

    public static String encode(IntentRef ref, int number, ObjectNode intent, List<Allocation> grants) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("kind", ref.kind());
        json.put("id", ref.id());
        json.put("number", number);
        json.set("intent", intent);
        if (!grants.isEmpty()) {
            json.set("grants", Allocation.encode(grants));
        }
        return json.toString();
    }

    /** @throws IllegalArgumentException if {@link #encode} did not write the text */
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
        if (number < 1
                || number > NumberedIntent.MAX_NUMBER
                || !json.path("intent").isObject()) {
            throw new IllegalArgumentException("its number or its intent is missing");
        }
        return new StoredIntent(
                ref, number, json.get("intent"), Allocation.decode(json.path("grants")), json.has("grants"));
    }

    /** The kind that a key of the map belongs to. */
    static String kindOf(String key) {
        int slash = key.indexOf('/');
        return slash < 0 ? key : key.substring(0, slash);
    }

    /** Its numbers, whose use is unknown until it is compiled. */
    List<IdPools.Hold> holds() {
        IdPools.Owner owner = new IdPools.Owner(ref, number, null, false);
        return grants.stream()
                .map(grant -> new IdPools.Hold(owner, grant.pool(), grant.number(), grant.many(), Set.of()))
                .toList();
    }
}
