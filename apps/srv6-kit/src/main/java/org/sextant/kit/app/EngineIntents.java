// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.DryRun;
import org.sextant.core.intent.Explained;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRequest;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Intents;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Precondition;
import org.sextant.core.intent.Submission;
import org.sextant.core.net.Network;

/** The intents of one kind in the engine. */
public class EngineIntents<I> implements AppIntents<I> {
    private final Intents engine;
    private final IntentKind<I> kind;

    public EngineIntents(Intents engine, IntentKind<I> kind) {
        this.engine = engine;
        this.kind = kind;
    }

    protected final IntentKind<I> kind() {
        return kind;
    }

    @Override
    public Optional<String> name(I intent) {
        return kind.suggestedId(intent);
    }

    @Override
    public Submission<I> submit(List<I> intents, Precondition only) {
        return engine.submit(kind, intents, only);
    }

    @Override
    public <R> R together(List<I> intents, Function<List<Candidate<I>>, R> admission) {
        return admission.apply(intents.stream()
                .map(intent -> new Candidate<>(new IntentRequest<>(kind, intent), List.of()))
                .toList());
    }

    @Override
    public Submission<I> change(String id, UnaryOperator<I> change, Precondition only) {
        return engine.change(kind, id, change, only);
    }

    @Override
    public List<IntentStatus<I>> within(String above) {
        return engine.within(kind, above);
    }

    @Override
    public String tag(IntentStatus<I> stored) {
        return Precondition.tag(kind.encode(stored.intent().intent()));
    }

    @Override
    public Plan dryRun(I intent, Precondition only) {
        DryRun<I> tried = engine.dryRun(kind, intent, only);
        feasible(tried.plan());
        return warning(explained(tried.intent(), tried.plan()), tried.warnings());
    }

    /** Adds warnings about the running controller to a plan; its compiler has only the network. */
    private static Plan warning(Plan plan, List<String> more) {
        if (more.isEmpty()) {
            return plan;
        }
        List<String> all =
                Stream.concat(plan.warnings().stream(), more.stream()).toList();
        ObjectNode json = plan.explanation().deepCopy();
        if (!json.isEmpty()) {
            ArrayNode shown = json.withArray("warnings");
            more.forEach(shown::add);
        }
        return new Plan(
                plan.entries(),
                Explained.of(json),
                plan.problems(),
                all,
                plan.dependsOn(),
                plan.passages(),
                plan.offer());
    }

    @Override
    public Plan plan(IntentStatus<I> stored) {
        return explained(stored.intent(), stored.plan());
    }

    /**
     * Compiles the intent again for an explanation. With an overloaded node the result may not avoid it as the plan
     * does; then a second compilation avoids it.
     */
    private Plan explained(NumberedIntent<I> intent, Plan plan) {
        CompileContext context = engine.context();
        Plan usual = kind.explain(intent, plan, context);
        if (context.network().overloads().isEmpty() || usual.hasEffectOf(plan)) {
            return feasible(usual);
        }
        Plan avoiding = kind.explain(intent, plan, context.avoidingOverloaded());
        return feasible(avoiding.hasEffectOf(plan) ? avoiding : usual);
    }

    private static Plan feasible(Plan plan) {
        if (!plan.feasible()) {
            throw new ProblemException(plan.problems());
        }
        return plan;
    }

    @Override
    public Optional<IntentStatus<I>> find(String id) {
        engine.requireCertain(kind, id);
        return engine.get(kind, id);
    }

    @Override
    public List<IntentStatus<I>> list() {
        return engine.list(kind);
    }

    @Override
    public List<IntentStatus<I>> list(Predicate<I> predicate) {
        return engine.find(kind, predicate);
    }

    @Override
    public CompletableFuture<Void> remove(Collection<String> ids, Precondition only) {
        return engine.withdraw(kind, ids, only);
    }

    @Override
    public Network network() {
        return engine.context().network();
    }
}
