// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.sextant.core.Problem;
import org.sextant.core.Problem.Code;
import org.sextant.core.ProblemException;
import org.sextant.core.access.Role;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Precondition;
import org.sextant.core.intent.Submission;
import org.sextant.core.net.Network;

/**
 * The part of an app that belongs to one intent of the app above, as an app of its own: ids are unique within that
 * intent. The app itself uses whole ids.
 */
public final class ScopedApp<I> implements SrApp<I> {
    private final SrApp<I> app;
    private final String above;

    private ScopedApp(SrApp<I> app, String above) {
        this.app = app;
        this.above = above;
    }

    /** @throws ProblemException if that intent does not exist and no intent belongs to it */
    public static <I> SrApp<I> of(SrApp<I> app, String above) {
        boolean there = app.above()
                .find(above)
                .filter(status -> status.state() != IntentState.REMOVING)
                .isPresent();
        if (!there && app.intents().within(above).isEmpty()) {
            AppWords words = app.words().within().orElseThrow();
            throw new ProblemException(new Problem(
                    Code.UNKNOWN,
                    "/id",
                    "there is no " + words.called() + " \"" + above + "\"",
                    "list the " + words.many() + " to see what there is"));
        }
        return new ScopedApp<>(app, above);
    }

    private String whole(String id) {
        return above + "/" + id;
    }

    private IntentStatus<I> whole(IntentStatus<I> status) {
        return named(status, whole(status.id()));
    }

    private IntentStatus<I> own(IntentStatus<I> status) {
        return named(status, status.id().substring(above.length() + 1));
    }

    private static <I> IntentStatus<I> named(IntentStatus<I> status, String id) {
        NumberedIntent<I> intent = status.intent();
        return new IntentStatus<>(
                status.kind(),
                new NumberedIntent<>(id, intent.number(), intent.intent(), intent.grants()),
                status.state(),
                status.plan(),
                status.troubles(),
                status.since());
    }

    private Submission<I> own(Submission<I> submission) {
        return new Submission<>(
                submission.outcomes().stream()
                        .map(outcome -> new Submission.Outcome<>(
                                outcome.intent().map(this::own), outcome.changed(), outcome.problems()))
                        .toList(),
                submission.settled());
    }

    @Override
    public AppWords words() {
        return app.words();
    }

    @Override
    public List<Filter<I>> filters() {
        return app.filters();
    }

    @Override
    public Optional<Form> form() {
        return app.form();
    }

    @Override
    public boolean changes() {
        return app.changes();
    }

    @Override
    public boolean replaces() {
        return app.replaces();
    }

    @Override
    public Role changedBy() {
        return app.changedBy();
    }

    @Override
    public int mostBytes() {
        return app.mostBytes();
    }

    @Override
    public I decode(JsonNode json) {
        return app.decode(above, json);
    }

    @Override
    public ObjectNode encode(I intent) {
        return app.encode(intent);
    }

    @Override
    public void detail(IntentStatus<I> status, ObjectNode view) {
        app.detail(whole(status), view);
    }

    @Override
    public void look(IntentStatus<I> status) {
        app.look(whole(status));
    }

    @Override
    public ObjectNode explain(Plan plan) {
        return app.explain(plan);
    }

    @Override
    public IntentText text() {
        return app.text();
    }

    @Override
    public List<IntentKind<?>> kinds() {
        return app.kinds();
    }

    @Override
    public AppIntents<I> intents() {
        return new Those(app.intents());
    }

    /** The intents that belong to the one above. */
    private final class Those implements AppIntents<I> {
        private final AppIntents<I> all;

        Those(AppIntents<I> all) {
            this.all = all;
        }

        @Override
        public Optional<String> name(I intent) {
            return all.name(intent).map(id -> id.substring(above.length() + 1));
        }

        @Override
        public Submission<I> submit(List<I> intents, Precondition only) {
            return own(all.submit(intents, only));
        }

        @Override
        public <R> R together(List<I> intents, Function<List<Candidate<I>>, R> admission) {
            return all.together(intents, admission);
        }

        @Override
        public Submission<I> change(String id, UnaryOperator<I> change, Precondition only) {
            return own(all.change(whole(id), change, only));
        }

        @Override
        public Plan dryRun(I intent, Precondition only) {
            return all.dryRun(intent, only);
        }

        @Override
        public String tag(IntentStatus<I> stored) {
            return all.tag(stored);
        }

        @Override
        public Plan plan(IntentStatus<I> stored) {
            return all.plan(whole(stored));
        }

        @Override
        public Optional<IntentStatus<I>> find(String id) {
            return all.find(whole(id)).map(ScopedApp.this::own);
        }

        @Override
        public List<IntentStatus<I>> list() {
            return all.within(above).stream().map(ScopedApp.this::own).toList();
        }

        @Override
        public List<IntentStatus<I>> list(Predicate<I> predicate) {
            return all.within(above).stream()
                    .filter(status -> predicate.test(status.intent().intent()))
                    .map(ScopedApp.this::own)
                    .toList();
        }

        @Override
        public List<IntentStatus<I>> within(String other) {
            return List.of();
        }

        @Override
        public CompletableFuture<Void> remove(Collection<String> ids, Precondition only) {
            return all.remove(ids.stream().map(ScopedApp.this::whole).toList(), only);
        }

        @Override
        public Network network() {
            return all.network();
        }
    }
}
