// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.util.List;
import org.sextant.kit.app.AppWords;
import org.sextant.kit.app.Form;
import org.sextant.kit.app.Operation;
import org.sextant.kit.app.Word;

/** The names of flows, and the words of a shell command for one. */
final class LiveLiveWords implements AppWords {
    @Override
    public String one() {
        return "flow";
    }

    @Override
    public String many() {
        return "flows";
    }

    @Override
    public String called() {
        return "Live-Live flow";
    }

    @Override
    public String calledMany() {
        return "Live-Live flows";
    }

    @Override
    public String path() {
        return "livelive";
    }

    @Override
    public String operationOne() {
        return "LiveLive";
    }

    @Override
    public String operationMany() {
        return "LiveLive";
    }

    @Override
    public String command() {
        return "livelive";
    }

    @Override
    public String listCommand() {
        return "livelive-list";
    }

    @Override
    public String summary(Operation operation) {
        return switch (operation) {
            case ADD -> "Copies a flow over several paths and delivers each packet once";
            case LIST -> "All flows with their state, their paths and, as of the last reading, what those deliver";
            case GET -> "One flow with what its paths deliver now: sent, first, duplicate, late, lost, share of wins";
            case PLAN -> "Paths and segment lists of a flow in the network as it is now";
            case REMOVE -> "Removes a flow and its entries; its packets take the usual way again";
            case REMOVE_SOME -> "Removes the one flow between two ends, or several flows";
            case CHANGE, REPLACE -> AppWords.super.summary(operation);
        };
    }

    @Override
    public String plan() {
        return "paths, segment lists, what had to be relaxed";
    }

    @Override
    public String conflict() {
        return "another flow has packets of this one";
    }

    @Override
    public List<Example> examples() {
        return List.of(new Example("two node-disjoint paths", """
                        {"from": "h11", "to": "h31", "paths": 2}"""), new Example("given paths", """
                        {"name": "video", "from": "h11", "to": "h31", "protocol": "udp", "destinationPort": 5004,
                         "paths": [["l1", "l2", "l3"], ["l1", "l2", "p7", "p6", "v4", "l3"]]}"""));
    }

    @Override
    public String help(Operation operation) {
        return switch (operation) {
            case ADD -> "Copies a flow over several paths and delivers each packet once.";
            case GET -> "Shows one Live-Live flow: its paths, what each delivers now, and which of them fell silent.";
            case PLAN -> "Says which paths a flow takes: a stored one, or a new one without adding it.";
            case REMOVE -> "Removes Live-Live flows; their packets take the usual way again.";
            default -> AppWords.super.help(operation);
        };
    }

    @Override
    public List<String> usage(Operation operation) {
        return switch (operation) {
            case ADD ->
                List.of(
                        "h11 h31 2",
                        "h11 h31 --symmetric --protocol udp --destination-port 5004 --name video",
                        "--file flow.json --dry-run");
            case LIST -> List.of("", "--source h11 --json");
            case GET -> List.of("video");
            case PLAN -> List.of("video", "h11 h31 2 --disjoint srlg");
            default -> List.of("video", "--source h11 --destination h31", "--all");
        };
    }

    static Form form() {
        return new Form(
                List.of(
                        Word.argument("HOST", "The sending host, address or prefix.", Word.text("from")),
                        Word.argument("HOST", "The receiving one.", Word.text("to")),
                        Word.argument(
                                        "PATHS",
                                        "How many: 2 to 6, or disjoint for as many as are (the default).",
                                        Word.numberOrText("paths"))
                                .offering("2", "3", "4", "5", "6", "disjoint"),
                        Word.option("--disjoint", "DISJOINT", "link, node (default) or srlg.", Word.text("disjoint"))
                                .offering("link", "node", "srlg"),
                        Word.option(
                                        "--shortfall",
                                        "SHORTFALL",
                                        "Where there are fewer: relax (default), offer or refuse.",
                                        Word.text("shortfall"))
                                .offering("relax", "offer", "refuse"),
                        Word.option(
                                "--protocol",
                                "PROTOCOL",
                                "Only tcp, udp or a protocol's number.",
                                Word.numberOrText("protocol")),
                        Word.option("--source-port", "PORT", "Only from this port.", Word.number("sourcePort")),
                        Word.option("--destination-port", "PORT", "Only to this port.", Word.number("destinationPort")),
                        Word.flag("--symmetric", "Copy what comes back, too.", "symmetry", "symmetric"),
                        Word.option("--name", "NAME", "The flow's id; else one is derived.", Word.text("name"))),
                2,
                "the two ends, for example h11 h31 2",
                json -> {
                    if (!json.has("paths")) {
                        json.put("paths", "disjoint");
                    }
                });
    }
}
