// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Where the trail begins and ends, under a key that is not beside it: an attacker who cuts lines off its end, or files
 * off its beginning, would have to write another one.
 *
 * @param first the sequence number of the oldest line that is kept
 * @param last that of the newest
 * @param hash of the newest
 */
record Head(long first, long last, String hash) {
    /** Before the first line. */
    static final Head NONE = new Head(1, 0, Chain.NOTHING);

    /** As long as any, so that it is written over in place. */
    private static final int LENGTH = 256;

    String text(byte[] key) {
        String json = JsonNodeFactory.instance
                .objectNode()
                .put("first", first)
                .put("last", last)
                .put("hash", hash)
                .put("mac", mac(key))
                .toString();
        return json + " ".repeat(LENGTH - 1 - json.length()) + "\n";
    }

    /** @throws IllegalArgumentException if it is not one, or made with another key */
    static Head parse(String text, byte[] key) {
        JsonNode json;
        try {
            json = new ObjectMapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("it is no JSON", e);
        }
        Head head = new Head(
                json.path("first").asLong(-1),
                json.path("last").asLong(-1),
                json.path("hash").asText());
        byte[] said = json.path("mac").asText().getBytes(StandardCharsets.US_ASCII);
        if (!MessageDigest.isEqual(said, head.mac(key).getBytes(StandardCharsets.US_ASCII))) {
            throw new IllegalArgumentException("it was not made with this controller's key");
        }
        return head;
    }

    private String mac(byte[] key) {
        return mac(key, first + " " + last + " " + hash);
    }

    /** HMAC-SHA-256 of a text, in hexadecimal. */
    static String mac(byte[] key, String said) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(said.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError("every Java has HMAC-SHA-256", e);
        }
    }
}
