// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.EntryFilter;
import org.sextant.core.intent.EntryState;
import org.sextant.core.intent.EntryStatus;
import org.sextant.core.intent.IntentRef;

/** Entries with their state and reason, as REST and CLI show them, and the filter both read. */
public final class EntryView {
    private EntryView() {}

    public static ArrayNode of(List<EntryStatus> entries) {
        ArrayNode view = JsonNodeFactory.instance.arrayNode();
        entries.forEach(entry -> view.add(of(entry)));
        return view;
    }

    private static ObjectNode of(EntryStatus status) {
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        view.put("node", status.node())
                .put("table", status.key().table())
                .put("match", status.key().match())
                .put("action", status.entry().map(EntryText::action).orElse(""))
                .put("state", status.state().name());
        status.failure().ifPresent(failure -> view.put("code", failure.code().name()).put("reason", failure.reason()));
        ArrayNode owners = view.putArray("owners");
        status.owners().forEach(owner -> owners.add(owner.toString()));
        status.counters().ifPresent(counters -> view.put("packets", counters.packets()).put("bytes", counters.bytes()));
        return view;
    }

    /** Null or empty means all. */
    public static EntryFilter filter(String node, String intent, String state) {
        return new EntryFilter(
                given(node), given(intent).map(EntryView::intent), given(state).map(EntryView::state));
    }

    private static Optional<String> given(String text) {
        return Optional.ofNullable(text).filter(value -> !value.isEmpty());
    }

    private static IntentRef intent(String text) {
        int slash = text.indexOf('/');
        if (slash < 1 || slash == text.length() - 1) {
            throw invalid("/intent", "\"" + text + "\" does not name an intent", "write kind/id, for example policy/p1");
        }
        return new IntentRef(text.substring(0, slash), text.substring(slash + 1));
    }

    private static EntryState state(String text) {
        try {
            return EntryState.valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw invalid("/state", "\"" + text + "\" is no state of an entry", "use installed, pending, failed or removing");
        }
    }

    private static ProblemException invalid(String field, String message, String remedy) {
        return new ProblemException(new Problem(Problem.Code.INVALID, field, message, remedy));
    }
}
