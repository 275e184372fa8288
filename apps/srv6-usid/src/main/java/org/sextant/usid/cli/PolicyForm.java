// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.sextant.northbound.cli.Documents;
import org.sextant.usid.Policy;
import org.sextant.usid.PolicyJson;
import picocli.CommandLine.Option;

/** The options that say what a policy is: the paper's form in words, any form as a document. */
final class PolicyForm {
    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "The JSON of a policy in either form, or of a list; - is the standard input. In the shell the"
                    + " file is on the controller's machine, with \"sextant cli\" on this one.")
    String file;

    @Option(
            names = "--return",
            paramLabel = "NODE,NODE…",
            description = "The nodes of the way back; else the same in reverse.")
    String back;

    @Option(names = "--one-way", description = "No way back.")
    boolean oneWay;

    @Option(names = "--decap", paramLabel = "DECAP", description = "f00d (default), uDT, vrf:N or numbering.")
    String decap;

    @Option(names = "--family", paramLabel = "FAMILY", description = "Only ipv6 or ipv4.")
    String family;

    /** True if something is said in words that a document says, too. */
    boolean inWords() {
        return back != null || oneWay || decap != null || family != null;
    }

    InputStream open(InputStream standardInput) throws IOException {
        return Documents.open(file, standardInput);
    }

    /** @param nodes separate or joined by commas */
    Policy policy(String from, String to, List<String> nodes, String name) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("from", from).put("to", to);
        json.set("nodes", nodes(nodes.stream()));
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
        return PolicyJson.decode(json);
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
