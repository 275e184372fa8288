// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.AllocationRequest;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Pool;
import org.sextant.core.net.Network;

@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
class PrecompilerTest {
    private static final CompileContext CONTEXT = new CompileContext(Network.EMPTY, Map.of());
    private static final Plan PLAN = Plan.rejected(List.of());

    private final Precompiler precompiler = new Precompiler(1);
    private final CountDownLatch compiled = new CountDownLatch(1);

    @AfterEach
    void close() {
        precompiler.close();
    }

    /** A kind whose compiler is a function of the context. */
    private final class Kind implements IntentKind<Object> {
        private final Function<CompileContext, Plan> compiler;

        Kind(Function<CompileContext, Plan> compiler) {
            this.compiler = compiler;
        }

        @Override
        public String name() {
            return "text";
        }

        @Override
        public ObjectNode encode(Object intent) {
            return JsonNodeFactory.instance.objectNode();
        }

        @Override
        public Object decode(JsonNode json) {
            return json;
        }

        @Override
        public String identity(Object intent) {
            return intent.toString();
        }

        @Override
        public Plan compile(NumberedIntent<Object> intent, CompileContext context) {
            try {
                return compiler.apply(context);
            } finally {
                compiled.countDown();
            }
        }
    }

    private static Precompiler.Inputs inputs(IntentKind<Object> kind, Object intent, int number) {
        return new Precompiler.Inputs(kind, new NumberedIntent<>("p", number, intent), true, Optional.empty(), CONTEXT);
    }

    /** Prepares one, and waits until its compiler has run. */
    private Precompiler.Inputs prepared(Function<CompileContext, Plan> compiler) throws InterruptedException {
        Precompiler.Inputs inputs = inputs(new Kind(compiler), "intent", 1);
        precompiler.prepare(List.of(inputs));
        assertThat(compiled.await(10, TimeUnit.SECONDS)).isTrue();
        return inputs;
    }

    @Test
    void a_plan_is_taken_once() throws InterruptedException {
        Precompiler.Inputs inputs = prepared(context -> PLAN);
        assertThat(precompiler.take(inputs)).containsSame(PLAN);
        assertThat(precompiler.take(inputs)).isEmpty();
    }

    @Test
    void a_plan_for_another_number_is_not_taken() throws InterruptedException {
        Precompiler.Inputs inputs = prepared(context -> PLAN);
        assertThat(precompiler.take(inputs(inputs.kind(), inputs.intent().intent(), 2)))
                .isEmpty();
    }

    @Test
    void a_plan_for_another_network_is_not_taken() throws InterruptedException {
        Precompiler.Inputs inputs = prepared(context -> PLAN);
        CompileContext next = CONTEXT.next(Network.EMPTY, Map.of(), Map.of(), Map.of());
        assertThat(precompiler.take(
                        new Precompiler.Inputs(inputs.kind(), inputs.intent(), true, Optional.empty(), next)))
                .isEmpty();
    }

    @Test
    void a_plan_for_an_intent_that_has_another_plan_by_now_is_not_taken() throws InterruptedException {
        Precompiler.Inputs inputs = prepared(context -> PLAN);
        assertThat(precompiler.take(
                        new Precompiler.Inputs(inputs.kind(), inputs.intent(), true, Optional.of(PLAN), CONTEXT)))
                .isEmpty();
    }

    @Test
    void a_plan_whose_compiler_claimed_a_number_is_not_taken() throws InterruptedException {
        Pool pool = new Pool("numbers", 1, 10);
        assertThat(precompiler.take(prepared(context -> {
                    context.claim(new NumberedIntent<>("p", 1, "intent"), new AllocationRequest(pool, 0));
                    return PLAN;
                })))
                .isEmpty();
    }

    @Test
    void a_plan_whose_compiler_looked_at_another_intent_is_not_taken() throws InterruptedException {
        assertThat(precompiler.take(prepared(context -> {
                    context.referred(new IntentRef("text", "other"));
                    return PLAN;
                })))
                .isEmpty();
    }

    @Test
    void a_plan_whose_compiler_looked_at_a_name_is_not_taken() throws InterruptedException {
        assertThat(precompiler.take(prepared(context -> {
                    context.followed("color 7");
                    return PLAN;
                })))
                .isEmpty();
    }

    @Test
    void a_compilation_that_fails_is_left_to_the_caller() throws InterruptedException {
        assertThat(precompiler.take(prepared(context -> {
                    throw new ProblemException(new Problem(Problem.Code.UNFEASIBLE, "", "no", "none"));
                })))
                .isEmpty();
    }

    @Test
    void a_compilation_that_has_not_begun_is_left_to_the_caller() throws InterruptedException {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Precompiler.Inputs first = inputs(
                new Kind(context -> {
                    busy.countDown();
                    await(end);
                    return PLAN;
                }),
                "first",
                1);
        Precompiler.Inputs second = inputs(new Kind(context -> PLAN), "second", 2);
        precompiler.prepare(List.of(first, second));
        await(busy);
        assertThat(precompiler.take(second)).isEmpty();
        end.countDown();
        assertThat(precompiler.take(first)).as("one that runs is awaited").containsSame(PLAN);
        assertThat(compiled.getCount()).isZero();
    }

    @Test
    void no_more_than_the_most_are_begun() {
        Kind kind = new Kind(context -> PLAN);
        List<Precompiler.Inputs> inputs = IntStream.rangeClosed(0, Precompiler.MOST)
                .mapToObj(number -> inputs(kind, "intent " + number, number + 1))
                .toList();
        precompiler.prepare(inputs);
        assertThat(precompiler.take(inputs.get(Precompiler.MOST))).isEmpty();
    }

    @Test
    void without_other_threads_nothing_is_compiled_in_advance() {
        Precompiler alone = new Precompiler(0);
        Precompiler.Inputs inputs = inputs(new Kind(context -> PLAN), "intent", 1);
        alone.prepare(List.of(inputs));
        assertThat(alone.take(inputs)).isEmpty();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
