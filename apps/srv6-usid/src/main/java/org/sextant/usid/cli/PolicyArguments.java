// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.sextant.core.json.BoundedJson;
import org.sextant.usid.Policy;
import org.sextant.usid.PolicyJson;
import org.sextant.usid.service.PolicyBody;

/**
 * A policy from the words of a command line: the paper's form from two ends and nodes, any form from a file.
 *
 * @param words from, to, and the nodes, separate or joined by commas
 */
record PolicyArguments(
        List<String> words, String file, String back, boolean oneWay, String decap, String family, String name) {
    private static final int MAX_DEPTH = 32;

    Policy policy() throws IOException {
        if (file != null) {
            if (words != null && !words.isEmpty()) {
                throw new IllegalArgumentException("give either a file or two ends and nodes, not both");
            }
            return PolicyJson.decode(json());
        }
        if (words == null || words.size() < 3) {
            throw new IllegalArgumentException(
                    "give the two ends and the nodes between, for example: h11 h31 l1 l2 l3; or a policy's JSON with"
                            + " --file");
        }
        return PolicyJson.decode(paper());
    }

    private JsonNode json() throws IOException {
        Path path = Path.of(file);
        if (!Files.isReadable(path)) {
            throw new IllegalArgumentException("there is no file " + file + " that the controller can read");
        }
        return new BoundedJson(PolicyBody.MAX_POLICY_BYTES, MAX_DEPTH).read(Files.readAllBytes(path));
    }

    private ObjectNode paper() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("from", words.get(0)).put("to", words.get(1));
        json.set("nodes", nodes(words.subList(2, words.size()).stream()));
        if (back != null) {
            json.set("returnNodes", nodes(Stream.of(back)));
        }
        if (oneWay) {
            json.put("symmetry", "one-way");
        }
        put(json, "name", name);
        put(json, "family", family);
        if (decap != null && decap.matches("vrf:[0-9]{1,5}")) {
            json.putObject("decap").put("vrf", Integer.parseInt(decap.substring("vrf:".length())));
        } else {
            put(json, "decap", decap);
        }
        return json;
    }

    private static void put(ObjectNode json, String field, String value) {
        if (value != null) {
            json.put(field, value);
        }
    }

    private static ArrayNode nodes(Stream<String> words) {
        ArrayNode nodes = JsonNodeFactory.instance.arrayNode();
        words.flatMap(word -> Arrays.stream(word.split(",")))
                .map(String::trim)
                .filter(word -> !word.isEmpty())
                .forEach(nodes::add);
        return nodes;
    }
}
