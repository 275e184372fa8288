// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.EntryFilter;
import org.sextant.core.intent.EntryState;
import org.sextant.core.intent.EntryStatus;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.Intents;
import org.sextant.core.json.Fields;
import org.sextant.core.net.Network;
import org.sextant.core.table.Entry;

/** Entries with their state and reason, as REST and CLI show them, and the filter both read. */
public final class EntryView {
    private EntryView() {}

    /** The name of an entry in a page: its node, table and match. */
    public static String name(EntryStatus entry) {
        return entry.node() + " " + entry.key();
    }

    /**
     * The order in which the engine lists entries: by node, then by table, then by match.
     *
     * @throws ProblemException if an entry cannot have the name
     */
    public static int compare(EntryStatus entry, String name) {
        String[] parts = (name + "   ").split(" ", 3);
        int byNode = entry.node().compareTo(parts[0]);
        return byNode != 0 ? byNode : entry.key().compareTo(key(parts[1], parts[2].stripTrailing()));
    }

    private static Entry.Key key(String table, String match) {
        try {
            return Entry.Key.parse(table, match);
        } catch (IllegalArgumentException e) {
            throw invalid(
                    "/after",
                    "\"" + Fields.shorten(table + " " + match) + "\" is no table and match of an entry",
                    "take it from the header Link of the page before");
        }
    }

    public static ObjectNode of(EntryStatus status) {
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        view.put("node", status.node())
                .put("table", status.key().table())
                .put("match", status.key().match())
                .put("action", status.entry().map(Entry::actionText).orElse(""))
                .put("state", status.state().name());
        status.failure()
                .ifPresent(failure -> view.put("code", failure.code().name()).put("reason", failure.reason()));
        status.waitsFor().ifPresent(node -> view.put("waitsFor", node));
        ArrayNode owners = view.putArray("owners");
        status.owners().forEach(owner -> owners.add(owner.toString()));
        status.counters()
                .ifPresent(counters -> view.put("packets", counters.packets()).put("bytes", counters.bytes()));
        return view;
    }

    /**
     * Entries that pass; null or empty means all.
     *
     * @throws ProblemException if there is no such node, or a filter is not valid
     */
    public static List<EntryStatus> find(
            Network network, Intents intents, @Nullable String node, @Nullable String intent, @Nullable String state) {
        EntryFilter filter = filter(node, intent, state);
        filter.node().ifPresent(name -> NodeView.require(network, intents, name));
        return intents.entries(filter);
    }

    static EntryFilter filter(@Nullable String node, @Nullable String intent, @Nullable String state) {
        return new EntryFilter(
                given(node), given(intent).map(EntryView::intent), given(state).map(EntryView::state));
    }

    private static Optional<String> given(@Nullable String text) {
        return Optional.ofNullable(text).filter(value -> !value.isEmpty());
    }

    private static IntentRef intent(String text) {
        int slash = text.indexOf('/');
        if (slash < 1 || slash == text.length() - 1) {
            throw invalid(
                    "/intent", "\"" + text + "\" does not name an intent", "write kind/id, for example policy/p1");
        }
        return new IntentRef(text.substring(0, slash), text.substring(slash + 1));
    }

    private static EntryState state(String text) {
        try {
            return EntryState.valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw invalid(
                    "/state", "\"" + text + "\" is no state of an entry", "use installed, pending, failed or removing");
        }
    }

    private static ProblemException invalid(String field, String message, String remedy) {
        return new ProblemException(new Problem(Problem.Code.INVALID, field, message, remedy));
    }
}
