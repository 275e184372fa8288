// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.sextant.core.access.Role;

/**
 * The stored part of a token: its hash, never the token.
 *
 * @param ownerHow the kind of its owner's identity when it was made: a user of this controller, or of the issuer
 * @param hash of the whole token, SHA-256; 256 random bits need no slow hash
 * @param isOver its end was seen: it stays over, whatever a clock says later
 */
record TokenRecord(
        String id,
        String name,
        String owner,
        Caller.How ownerHow,
        Role role,
        Instant created,
        Instant expires,
        String hash,
        boolean isOver) {
    static TokenRecord of(String id, JsonNode json) {
        return new TokenRecord(
                id,
                json.get("name").textValue(),
                json.get("owner").textValue(),
                Caller.How.valueOf(json.get("ownerHow").textValue()),
                Role.valueOf(json.get("role").textValue()),
                Instant.parse(json.get("created").textValue()),
                Instant.parse(json.get("expires").textValue()),
                json.get("hash").textValue(),
                json.path("over").booleanValue());
    }

    TokenRecord over() {
        return new TokenRecord(id, name, owner, ownerHow, role, created, expires, hash, true);
    }

    ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("name", name)
                .put("owner", owner)
                .put("ownerHow", ownerHow.name())
                .put("role", role.name())
                .put("created", created.toString())
                .put("expires", expires.toString())
                .put("hash", hash);
        return isOver ? json.put("over", true) : json;
    }

    /** As REST shows it; the token itself cannot be recovered. */
    ObjectNode view() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", id)
                .put("name", name)
                .put("owner", owner)
                .put("role", role.word())
                .put("created", created.toString())
                .put("expires", expires.toString());
    }
}
