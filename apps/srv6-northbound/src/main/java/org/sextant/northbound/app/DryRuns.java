// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.app;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.Intents;
import org.sextant.core.intent.Precondition;
import org.sextant.core.json.ProblemJson;
import org.sextant.kit.app.SrApp;

/** Dry runs: the results that submitting would have. */
public final class DryRuns {
    private DryRuns() {}

    /** @throws ProblemException if it would be rejected */
    public static <I> ObjectNode plan(SrApp<I> app, I intent) {
        return plan(app, intent, Precondition.NONE);
    }

    /** @throws ProblemException also if {@code only} does not hold */
    public static <I> ObjectNode plan(SrApp<I> app, I intent, Precondition only) {
        return app.explain(app.intents().dryRun(intent, only));
    }

    /**
     * The same in the place of a stored one.
     *
     * @throws ProblemException also if that is not there, or has another name
     */
    public static <I> ObjectNode plan(SrApp<I> app, String id, I intent, Precondition only) {
        app.stored(id);
        if (app.intents().name(intent).filter(name -> !name.equals(id)).isPresent()) {
            throw new ProblemException(Intents.another(app.words().one()));
        }
        return plan(app, intent, only);
    }

    /** The same of a stored one, changed in part. */
    public static <I> ObjectNode plan(SrApp<I> app, String id, MergePatch patch, Precondition only) {
        I stored = app.stored(id).intent().intent();
        return plan(app, id, app.decode(patch.applied(app.encode(stored))), only);
    }

    /** Each on its own, in the order posted: its plan, or why it would be rejected. */
    public static <I> void write(SrApp<I> app, PostBody<I> list, JsonGenerator json) throws IOException {
        int[] index = {0};
        json.writeStartObject();
        json.writeArrayFieldStart("items");
        list.each(item -> json.writeTree(planOrErrors(app, item, index[0]++)));
        json.writeEndArray();
        json.writeEndObject();
    }

    private static <I> ObjectNode planOrErrors(SrApp<I> app, PostBody.Item<I> item, int index) {
        List<Problem> problems = item.problems();
        if (item.intent().isPresent()) {
            try {
                return plan(app, item.intent().get());
            } catch (ProblemException e) {
                problems = e.problems();
            }
        }
        return ProblemJson.errors(PostBody.in(index, problems));
    }
}
