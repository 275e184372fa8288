// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.apply;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A part of a JSON document that another version of it has otherwise.
 *
 * @param field its JSON pointer (RFC 6901), in the new version unless the part was removed
 * @param before empty if the part was added
 * @param after empty if the part was removed
 */
record Difference(String field, Optional<JsonNode> before, Optional<JsonNode> after) {

    /**
     * The differences between two versions: the smallest parts that differ, but for lists with elements that were
     * inserted or removed, which are compared behind their common beginning and before their common end.
     *
     * @param at the pointer of both
     */
    static List<Difference> between(String at, JsonNode before, JsonNode after) {
        List<Difference> found = new ArrayList<>();
        compare(at, before, after, found);
        return found;
    }

    private static void compare(String at, JsonNode before, JsonNode after, List<Difference> found) {
        if (before.equals(after)) {
            return;
        }
        if (before.isObject() && after.isObject()) {
            compareFields(at, before, after, found);
        } else if (before.isArray() && after.isArray()) {
            compareElements(at, before, after, found);
        } else {
            found.add(new Difference(at, Optional.of(before), Optional.of(after)));
        }
    }

    private static void compareFields(String at, JsonNode before, JsonNode after, List<Difference> found) {
        Iterator<Map.Entry<String, JsonNode>> old = before.fields();
        while (old.hasNext()) {
            Map.Entry<String, JsonNode> field = old.next();
            String pointer = pointer(at, field.getKey());
            if (after.has(field.getKey())) {
                compare(pointer, field.getValue(), after.get(field.getKey()), found);
            } else {
                found.add(new Difference(pointer, Optional.of(field.getValue()), Optional.empty()));
            }
        }
        after.fields().forEachRemaining(field -> {
            if (!before.has(field.getKey())) {
                found.add(new Difference(pointer(at, field.getKey()), Optional.empty(), Optional.of(field.getValue())));
            }
        });
    }

    private static String pointer(String at, String name) {
        return at + "/" + name.replace("~", "~0").replace("/", "~1");
    }

    private static void compareElements(String at, JsonNode before, JsonNode after, List<Difference> found) {
        int shorter = Math.min(before.size(), after.size());
        int start = 0;
        while (start < shorter && before.get(start).equals(after.get(start))) {
            start++;
        }
        int end = 0;
        while (end < shorter - start && before.get(before.size() - 1 - end).equals(after.get(after.size() - 1 - end))) {
            end++;
        }
        if (before.size() == after.size()) {
            for (int i = start; i < after.size() - end; i++) {
                compare(at + "/" + i, before.get(i), after.get(i), found);
            }
            return;
        }
        for (int i = start; i < before.size() - end; i++) {
            found.add(new Difference(at + "/" + i, Optional.of(before.get(i)), Optional.empty()));
        }
        for (int i = start; i < after.size() - end; i++) {
            found.add(new Difference(at + "/" + i, Optional.empty(), Optional.of(after.get(i))));
        }
    }

    void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("field", field);
        if (before.isPresent()) {
            json.writeFieldName("old");
            json.writeTree(before.get());
        }
        if (after.isPresent()) {
            json.writeFieldName("new");
            json.writeTree(after.get());
        }
        json.writeEndObject();
    }
}
