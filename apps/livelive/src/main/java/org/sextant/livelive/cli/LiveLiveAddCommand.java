// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import org.sextant.core.json.BoundedJson;
import org.sextant.kit.Settling;
import org.sextant.livelive.LiveLive;
import org.sextant.livelive.LiveLiveJson;
import org.sextant.livelive.service.LiveLives;
import org.sextant.livelive.text.LiveLiveText;
import org.sextant.northbound.cli.Documents;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code srv6:livelive-add}. */
@Command(
        name = "livelive-add",
        description = "Copies a flow over several paths and delivers each packet once.",
        footer = {
            "",
            "Examples:",
            "  srv6:livelive-add h11 h31 2",
            "  srv6:livelive-add h11 h31 --symmetric --protocol udp --destination-port 5004 --name video",
            "  srv6:livelive-add --file flow.json --dry-run"
        })
final class LiveLiveAddCommand extends LiveLiveCommand {
    private static final int MAX_BYTES = 64 << 10;
    private static final int MAX_DEPTH = 8;

    @Parameters(index = "0", arity = "0..1", paramLabel = "HOST", description = "The sending host, address or prefix.")
    private String from;

    @Parameters(index = "1", arity = "0..1", paramLabel = "HOST", description = "The receiving one.")
    private String to;

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "PATHS",
            description = "How many: 2 to 6, or disjoint for as many as are (the default).")
    private String paths;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description =
                    "The flow's JSON; - is the standard input. In the shell the file is on the controller's machine,"
                            + " with \"sextant cli\" on this one.")
    private String file;

    @Option(names = "--disjoint", paramLabel = "DISJOINT", description = "link, node (default) or srlg.")
    private String disjoint;

    @Option(
            names = "--shortfall",
            paramLabel = "SHORTFALL",
            description = "Where there are fewer: relax (default), offer or refuse.")
    private String shortfall;

    @Option(names = "--protocol", paramLabel = "PROTOCOL", description = "Only tcp, udp or a protocol's number.")
    private String protocol;

    @Option(names = "--source-port", paramLabel = "PORT", description = "Only from this port.")
    private Integer sourcePort;

    @Option(names = "--destination-port", paramLabel = "PORT", description = "Only to this port.")
    private Integer destinationPort;

    @Option(names = "--symmetric", description = "Copy what comes back, too.")
    private boolean symmetric;

    @Option(names = "--name", paramLabel = "NAME", description = "The flow's id; else one is derived.")
    private String name;

    @Option(names = "--dry-run", description = "Only say what would happen.")
    private boolean dryRun;

    LiveLiveAddCommand(LiveLives flows) {
        super(flows);
    }

    @Override
    protected boolean readsDocument() {
        return file != null;
    }

    @Override
    protected int run() throws IOException {
        LiveLive flow = LiveLiveJson.decode(file == null ? words() : document());
        if (dryRun) {
            ObjectNode plan = flows.dryRun(flow).explanation();
            print(plan, LiveLiveText.plan(plan));
            return 0;
        }
        LiveLives.Receipt receipt = flows.submit(flow);
        Settling.await(receipt.settled(), PATIENCE);
        ObjectNode view = flows.view(receipt.status().id());
        print(view, LiveLiveText.of(view));
        return 0;
    }

    private JsonNode document() throws IOException {
        if (!words().isEmpty()) {
            throw misuse("a file says all of it: leave out the hosts and what else describes the flow");
        }
        try (InputStream stream = Documents.open(file, in())) {
            return new BoundedJson(MAX_BYTES, MAX_DEPTH).read(stream);
        }
    }

    private ObjectNode words() {
        if (to == null && file == null) {
            throw misuse("give the two ends, for example h11 h31 2, or a document with --file");
        }
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        text(json, "from", from);
        text(json, "to", to);
        number(json, "paths", paths == null && file == null ? "disjoint" : paths);
        number(json, "protocol", protocol);
        text(json, "name", name);
        text(json, "disjoint", disjoint);
        text(json, "shortfall", shortfall);
        if (sourcePort != null) {
            json.put("sourcePort", sourcePort);
        }
        if (destinationPort != null) {
            json.put("destinationPort", destinationPort);
        }
        if (symmetric) {
            json.put("symmetry", "symmetric");
        }
        return json;
    }

    private static void text(ObjectNode json, String field, String value) {
        if (value != null) {
            json.put(field, value);
        }
    }

    /** Digits are a number, anything else a word. */
    private static void number(ObjectNode json, String field, String value) {
        if (value != null && value.matches("[0-9]{1,3}")) {
            json.put(field, Integer.parseInt(value));
        } else {
            text(json, field, value);
        }
    }
}
