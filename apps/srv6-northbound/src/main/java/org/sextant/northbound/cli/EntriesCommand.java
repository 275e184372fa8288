// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.util.List;
import org.sextant.core.intent.EntryStatus;
import org.sextant.northbound.answer.Page;
import org.sextant.northbound.view.EntryView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code srv6:entries}. */
@Command(
        name = "entries",
        description =
                "Lists the entries that are wanted, or that are to go, with their state and, where there is one, the reason.",
        footer = {
            "",
            "Examples:",
            "  srv6:entries l1",
            "  srv6:entries --state failed",
            "  srv6:entries --intent policy/gold --json"
        })
final class EntriesCommand extends NetworkCommand {
    @Parameters(paramLabel = "NODE", arity = "0..1", description = "Only of this node.")
    private String node;

    @Option(names = "--intent", paramLabel = "KIND/ID", description = "Only of this intent, for example policy/gold.")
    private String intent;

    @Option(names = "--state", paramLabel = "STATE", description = "Only installed, pending, failed or removing ones.")
    private String state;

    @Mixin
    private Paging paging;

    EntriesCommand(NetworkCommands controller) {
        super(controller);
    }

    @Override
    protected boolean changes() {
        return false;
    }

    @Override
    protected int run() throws IOException {
        List<EntryStatus> entries = EntryView.find(network(), intents(), node, intent, state);
        Page.Part<EntryStatus> part = paging.page().of(entries, EntryView::name, EntryView::compare);
        ArrayNode view = JsonNodeFactory.instance.arrayNode();
        part.elements().forEach(entry -> view.add(EntryView.of(entry)));
        print(
                view,
                view.isEmpty()
                        ? "no entries\n"
                        : JsonTable.of(
                                view, "node", "table", "match", "action", "state", "packets", "owners", "reason"));
        part.next().ifPresent(next -> note(Paging.more(next)));
        return 0;
    }

    @Override
    protected Iterable<String> names(String label) {
        return label.equals("STATE") ? List.of("installed", "pending", "failed", "removing") : super.names(label);
    }
}
