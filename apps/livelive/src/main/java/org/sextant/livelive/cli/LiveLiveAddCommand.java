// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.sextant.core.json.BoundedJson;
import org.sextant.livelive.LiveLive;
import org.sextant.livelive.LiveLiveJson;
import org.sextant.livelive.service.LiveLives;
import org.sextant.livelive.text.LiveLiveText;
import org.sextant.usid.service.Receipt;

/** {@code srv6:livelive-add}. */
@Service
@Command(
        scope = "srv6",
        name = "livelive-add",
        description =
                "Copies a flow over several paths and delivers it once: srv6:livelive-add --symmetric h11 h31 2, or --file flow.json")
public class LiveLiveAddCommand extends LiveLiveCommand {
    private static final int MAX_BYTES = 64 << 10;
    private static final int MAX_DEPTH = 8;

    @Argument(index = 0, name = "from", description = "the sending host, address or prefix")
    @Completion(EndCompleter.class)
    String from;

    @Argument(index = 1, name = "to", description = "the receiving host, address or prefix")
    @Completion(EndCompleter.class)
    String to;

    @Argument(index = 2, name = "paths", description = "how many: 2 to 6, or disjoint for as many as are (the default)")
    String paths = "disjoint";

    @Option(name = "--file", aliases = "-f", description = "File with the flow's JSON on the controller's machine")
    String file;

    @Option(name = "--disjoint", description = "link, node (default) or srlg")
    String disjoint;

    @Option(name = "--shortfall", description = "Where there are fewer: relax (default), offer or refuse")
    String shortfall;

    @Option(name = "--protocol", description = "Only tcp, udp or a protocol's number")
    String protocol;

    @Option(name = "--source-port", description = "Only from this port")
    Integer sourcePort;

    @Option(name = "--destination-port", description = "Only to this port")
    Integer destinationPort;

    @Option(name = "--symmetric", description = "Copy what comes back too")
    boolean symmetric;

    @Option(name = "--name", description = "The flow's id")
    String name;

    @Option(name = "--dry-run", description = "Only say what would happen")
    boolean dryRun;

    @Override
    protected void run() throws IOException {
        LiveLive flow = LiveLiveJson.decode(file == null ? words() : document());
        if (dryRun) {
            ObjectNode plan = flows.dryRun(flow).explanation();
            print(plan, LiveLiveText.plan(plan));
            return;
        }
        LiveLives.Receipt receipt = flows.submit(flow);
        Receipt.await(receipt.settled(), PATIENCE);
        ObjectNode view = flows.view(receipt.status().id());
        print(view, LiveLiveText.of(view));
    }

    private JsonNode document() throws IOException {
        if (from != null) {
            throw new IllegalArgumentException("give either a file or two ends, not both");
        }
        Path path = Path.of(file);
        if (!Files.isReadable(path)) {
            throw new IllegalArgumentException("there is no file " + file + " that the controller can read");
        }
        return new BoundedJson(MAX_BYTES, MAX_DEPTH).read(Files.readAllBytes(path));
    }

    private ObjectNode words() {
        if (to == null) {
            throw new IllegalArgumentException(
                    "give the two ends and how many paths, for example: h11 h31 2; or a flow's JSON with --file");
        }
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("from", from).put("to", to);
        number(json, "paths", paths);
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
