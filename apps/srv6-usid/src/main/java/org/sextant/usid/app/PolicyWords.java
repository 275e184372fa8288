// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;
import org.sextant.kit.app.AppWords;
import org.sextant.kit.app.Form;
import org.sextant.kit.app.Operation;
import org.sextant.kit.app.Word;
import org.sextant.usid.Decap;

/** The names of policies, and the words of a shell command for the host-to-host form. */
final class PolicyWords implements AppWords {
    @Override
    public String one() {
        return "policy";
    }

    @Override
    public String many() {
        return "policies";
    }

    @Override
    public String summary(Operation operation) {
        return switch (operation) {
            case LIST -> "All policies with their state, or those between two ends";
            case PLAN -> "What a policy does to the packets in the network as it is now";
            case REMOVE_SOME -> "Removes the one policy between two ends, or several policies";
            default -> AppWords.super.summary(operation);
        };
    }

    @Override
    public String plan() {
        return "containers, every hop, bytes, MTU, entries";
    }

    @Override
    public String conflict() {
        return "another policy owns what this one steers";
    }

    @Override
    public List<Example> examples() {
        return List.of(new Example("the paper's form", """
                        {"from": "h11", "to": "h31", "nodes": ["l1", "l2", "p7", "p6", "v5", "v4", "l3"]}"""), new Example("the general form", """
                        {"headend": "l1", "hops": [{"node": "v8", "loose": true}, {"link": "v8-p6"}], "egress": "l3",
                         "steering": ["h31"]}"""));
    }

    @Override
    public String help(Operation operation) {
        return switch (operation) {
            case LIST ->
                "Lists policies with their state. Of a path's hops, (v8) is a loose one, 3x(…) a list with its weight.";
            case REMOVE -> "Removes policies, by their ids or by their ends.";
            default -> AppWords.super.help(operation);
        };
    }

    @Override
    public List<String> usage(Operation operation) {
        return switch (operation) {
            case ADD ->
                List.of(
                        "h11 h31 l1 l2 l3",
                        "h11 h31 l1,l2,p7,p6,v4,l3 --name gold --one-way --family ipv6",
                        "--file policy.json");
            case LIST -> List.of("", "--source h11 --json", "--limit 100");
            case GET -> List.of("gold");
            case PLAN -> List.of("gold", "h11 h31 l1 l2 l3 --one-way", "--file policy.json --json");
            default -> List.of("gold silver", "--source h11 --destination h31", "--source h11 --all");
        };
    }

    static Form form() {
        return new Form(
                List.of(
                        Word.argument("HOST", "The sending host, address or prefix.", Word.text("from")),
                        Word.argument("HOST", "The receiving one.", Word.text("to")),
                        Word.arguments(
                                "NODE",
                                "The nodes to visit, headend first, egress last; by blanks or commas.",
                                Word.texts("nodes")),
                        Word.option("--name", "NAME", "The policy's id; else one is derived.", Word.text("name")),
                        Word.option(
                                "--return",
                                "NODE,NODE…",
                                "The nodes of the way back; else the same in reverse.",
                                Word.texts("returnNodes")),
                        Word.flag("--one-way", "No way back.", "symmetry", "one-way"),
                        Word.option("--decap", "DECAP", "f00d (default), uDT, vrf:N or numbering.", PolicyWords::decap)
                                .offering("f00d", "uDT", "vrf:", "numbering"),
                        Word.option("--family", "FAMILY", "Only ipv6 or ipv4.", Word.text("family"))
                                .offering("ipv6", "ipv4")),
                3,
                "the two ends and the nodes, for example h11 h31 l1 l2 l3");
    }

    private static void decap(ObjectNode json, List<String> typed) {
        String word = typed.get(0);
        if (word.matches("vrf:[0-9]{1,5}")) {
            json.putObject("decap").put("vrf", Integer.parseInt(word.substring("vrf:".length())));
        } else if (Stream.of(Decap.Marker.values())
                .anyMatch(marker -> marker.spelling().equals(word))) {
            json.put("decap", word);
        } else {
            throw new IllegalArgumentException("\"" + word + "\" is none of f00d, uDT, vrf:N (as vrf:0) and numbering");
        }
    }
}
