// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * An allocation, the answer to a {@link AllocationRequest}; stored with the intent, which keeps it.
 *
 * @param pool its name
 * @param number the first of {@code many}
 */
public record Allocation(String pool, int use, long number, int many) {

    public boolean answers(AllocationRequest claim) {
        return pool.equals(claim.pool().name()) && use == claim.use() && many == claim.many() && claim.takes(number);
    }

    public static ArrayNode encode(List<Allocation> grants) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode(grants.size());
        grants.forEach(grant -> array.addObject()
                .put("pool", grant.pool)
                .put("use", grant.use)
                .put("number", grant.number)
                .put("many", grant.many));
        return array;
    }

    /** @throws IllegalArgumentException if {@link #encode} did not write it */
    public static List<Allocation> decode(JsonNode array) {
        List<Allocation> grants = new ArrayList<>(array.size());
        for (JsonNode json : array) {
            Allocation grant = new Allocation(
                    json.path("pool").asText(),
                    json.path("use").asInt(-1),
                    json.path("number").asLong(-1),
                    json.path("many").asInt());
            if (grant.pool.isEmpty() || grant.use < 0 || grant.number < 0 || grant.many < 1) {
                throw new IllegalArgumentException("a number of a pool is incomplete: " + json);
            }
            grants.add(grant);
        }
        return List.copyOf(grants);
    }
}
