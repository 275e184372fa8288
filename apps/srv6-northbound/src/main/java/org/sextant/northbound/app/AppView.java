// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.sextant.core.intent.EntryStatus;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.json.ProblemJson;
import org.sextant.core.text.Moments;
import org.sextant.kit.app.SrApp;

/** A stored intent with its state, as REST and shell show it. */
public final class AppView {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** The member of a view that says which of the intent's changes is shown; none if it was deleted. */
    public static final String ETAG = "etag";

    private AppView() {}

    /** As in HTTP's header: a strong entity tag with its quotes (RFC 9110, 8.8.3). */
    public static <I> String etag(SrApp<I> app, IntentStatus<I> status) {
        return "\"" + app.intents().tag(status) + "\"";
    }

    /** As it is known now. */
    public static <I> ObjectNode of(SrApp<I> app, IntentStatus<I> status) {
        ObjectNode view = NODES.objectNode();
        view.put("id", status.id()).put("state", status.state().name()).put("since", Moments.iso(status.since()));
        if (status.state() != IntentState.REMOVING) {
            view.put(ETAG, etag(app, status));
        }
        view.set(app.words().field(), app.encode(status.intent().intent()));
        app.detail(status, view);
        view.set("errors", ProblemJson.list(status.problems()));
        ArrayNode warnings = view.putArray("warnings");
        status.plan().warnings().forEach(warnings::add);
        ArrayNode troubles = view.putArray("troubles");
        status.troubles().forEach(trouble -> troubles.add(trouble(trouble)));
        return view;
    }

    public static <I> ArrayNode of(SrApp<I> app, List<IntentStatus<I>> statuses) {
        ArrayNode view = NODES.arrayNode();
        statuses.forEach(status -> view.add(of(app, status)));
        return view;
    }

    /**
     * After a look at it, which may take a moment.
     *
     * @throws org.sextant.core.ProblemException if it is not there
     */
    public static <I> ObjectNode looked(SrApp<I> app, String id) {
        app.look(app.stored(id));
        return of(app, app.stored(id));
    }

    /** After a look at it; as {@code status} says if it is gone since. */
    static <I> ObjectNode looked(SrApp<I> app, IntentStatus<I> status) {
        app.look(status);
        return of(app, app.intents().find(status.id()).orElse(status));
    }

    /** An entry that is wanted and not installed, and why. */
    private static ObjectNode trouble(EntryStatus entry) {
        ObjectNode view = NODES.objectNode();
        view.put("node", entry.node())
                .put("table", entry.key().table())
                .put("match", entry.key().match())
                .put("state", entry.state().name());
        entry.failure()
                .ifPresent(failure -> view.put("code", failure.code().name()).put("reason", failure.reason()));
        entry.waitsFor().ifPresent(node -> view.put("waitsFor", node));
        return view;
    }
}
